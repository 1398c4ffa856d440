// SPDX-License-Identifier: Apache-2.0
#include "runner/check/check.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_set>
#include <utility>

#include "platform/process/command_line.hpp"
#include "runner/check/check_lines.hpp"
#include "runner/suite/last_words.hpp"

namespace kernelgate {
namespace {

// Errors of the device end a kernel as surely as a signal does.
Verdict verdict_of(const CheckCase& one) {
  if (one.error_class == "crashed" || one.error_class == "out_of_memory" || one.error_class == "cuda_error")
    return Verdict::crashed;
  return one.error_class == "timed_out" ? Verdict::timed_out : Verdict::broken;
}

// A failure of the program as a whole; `name` is the nearest thing to a case.
CheckCase program_failure(const CheckRequest& request, const std::string& error_class, double value,
                          const std::string& text) {
  CheckCase out;
  out.suite = request.suite;
  out.side = request.side;
  out.name = "check program";
  out.error_class = error_class;
  out.error_value = value;
  out.fingerprint = fingerprint_of(out.name, error_class, value);
  out.text = text;
  return out;
}

void add_failure(CheckReport& report, const CheckCase& one, int signal = 0) {
  CaseFailure failure;
  failure.benchmark = one.name;
  failure.side = one.side;
  failure.verdict = verdict_of(one);
  failure.text = one.text;
  failure.fingerprint = one.fingerprint;
  failure.signal = signal;
  report.failures.push_back(std::move(failure));
}

// Why the program as a whole failed, beyond what its lines say; nothing if they explain its end.
std::optional<CheckCase> failure_of_end(const CheckRequest& request, const ProcessResult& ended,
                                        const CheckLines& lines) {
  const std::string after = lines.cases.empty() ? "" : " after case '" + lines.cases.back().name + "'";
  const std::string said = last_words(ended.err);
  const std::string words = said.empty() ? "" : ": " + said;
  if (!ended.over_limit.empty())
    return program_failure(request, "out_of_memory", 0, describe_end(ended) + after + words);
  if (ended.timed_out) return program_failure(request, "timed_out", 0, describe_end(ended) + after + words);
  if (ended.too_large) return program_failure(request, "too_much_output", 0, describe_end(ended));
  if (ended.signal != 0) return program_failure(request, "crashed", ended.signal, describe_end(ended) + after + words);
  if (ended.exit_code > 1)
    return program_failure(request, "crashed", ended.exit_code, describe_end(ended) + after + words);
  if (ended.exit_code == 1 && !lines.a_case_failed)
    return program_failure(request, "exit_code", 1, "check failed (exit 1)" + words);
  if (lines.count > limits::kCheckCasesMax)
    return program_failure(request, "too_many_cases", static_cast<double>(lines.count),
                           fmt::format("{} cases: {} at most", lines.count, limits::kCheckCasesMax));
  if (ended.exit_code == 0 && lines.unreadable > 0)
    return program_failure(request, "unreadable", lines.unreadable,
                           "a line that is no check case: " + lines.first_unreadable);
  return std::nullopt;
}

}  // namespace

void add_missing_cases(const std::vector<CheckCase>& base, CheckReport& head) {
  std::unordered_set<std::string_view> present;
  for (const CheckCase& one : head.cases) present.insert(one.name);
  std::vector<CheckCase> missing;
  for (const CheckCase& one : base) {
    if (!present.insert(one.name).second) continue;
    CheckCase out;
    out.suite = one.suite;
    out.side = Side::head;
    out.name = one.name;
    out.shape = one.shape;
    out.error_class = "missing";
    out.fingerprint = fingerprint_of(one.name, out.error_class, 0);
    out.text = "missing: base's check has this case, head's has not";
    missing.push_back(std::move(out));
  }
  for (CheckCase& one : missing) {
    add_failure(head, one);
    head.cases.push_back(std::move(one));
  }
}

CheckReport judge_check(const CheckRequest& request, const ProcessResult& ended) {
  CheckReport report;
  CheckLines lines = read_check_lines(ended.out);
  for (auto& one : lines.cases) {
    one.suite = request.suite;
    one.side = request.side;
    if (!one.passed) add_failure(report, one);
  }
  const auto whole = failure_of_end(request, ended, lines);
  report.cases = std::move(lines.cases);
  if (whole) {
    report.cases.push_back(*whole);
    add_failure(report, *whole, ended.signal);
  }
  report.tool_missing = is_tool_missing(ended);
  report.log = ended.out + (ended.err.empty() ? "" : "\n[stderr]\n" + ended.err) + "\n[" + describe_end(ended) + "]\n";
  return report;
}

Result<CheckReport> run_check(const Sandbox& sandbox, const CheckRequest& request, std::stop_token stop) {
  SandboxJob job;
  job.argv = shell_argv(request.line);
  job.mounts = request.mounts;
  job.gpu = request.gpu;
  ProcessSpec how;
  how.timeout = request.timeout;
  how.output_max = limits::kSuiteOutputMax;
  how.kill_when_over = true;
  auto ended = sandbox.run(job, std::move(how), stop);
  if (!ended) return pass_on(ended);
  if (ended->cancelled) return fail(Errc::conflict, "the check was stopped");
  CheckReport report = judge_check(request, *ended);
  const std::string help = report.tool_missing ? sandbox.where_tools_are() : "";
  if (!help.empty()) {
    report.log += help + "\n";
    if (!report.failures.empty()) report.failures.back().text += "; " + help;
  }
  return report;
}

}  // namespace kernelgate
