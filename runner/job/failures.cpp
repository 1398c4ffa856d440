// SPDX-License-Identifier: Apache-2.0
#include "runner/job/failures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/units/limits.hpp"
#include "platform/process/command_line.hpp"
#include "runner/check/check_lines.hpp"
#include "runner/gpu/cuda_error.hpp"
#include "runner/gpu/sanitizer.hpp"
#include "runner/measure/measure.hpp"

namespace kernelgate {
namespace {

Result<gpu::SanitizerReport> run_tool(JobStage& stage, const Build& build, const SuiteSpec& spec,
                                      const std::string& line, const std::vector<std::string>& flags,
                                      const std::string& tool, std::chrono::seconds timeout) {
  if (auto held = stage.hold_device(RunState::checking); !held) return pass_on(held);
  const auto located = locate_line(stage, build, spec, line);
  if (!located) return pass_on(located);
  gpu::SanitizerJob job;
  job.program = stage.machine.sanitizer;
  job.tool = tool;
  job.argv = shell_argv(located->text(), flags);
  job.mounts = build.mounts();
  job.timeout = timeout;
  return gpu::run_sanitizer(*stage.machine.sandbox, job, stage.stop);
}

Status rerun(JobStage& stage, const Build& build, const SuiteSpec& spec, bool of_check, CaseFailure& failure) {
  const std::string& line = of_check ? spec.check : spec.run;
  const auto flags = of_check ? std::vector<std::string>() : suite::once_flags(spec.format, failure.benchmark);
  const std::string progress = fmt::format("{}: {} once more under compute-sanitizer", spec.name, failure.benchmark);
  if (auto told = stage.state(RunState::checking, progress); !told) return told;
  const auto report = run_tool(stage, build, spec, line, flags, "memcheck", limits::kSanitizerTimeout);
  if (!report) return pass_on(report);
  failure.text += " | " + gpu::describe("memcheck", *report);
  return stage.machine.probe->after_failure(stage.stop);
}

}  // namespace

Status explain_failures(JobStage& stage, const SuiteSpec& spec, const SuiteBuilds& builds, SuiteEvidence& evidence) {
  const bool of_check = !evidence.checks_passed;
  int reruns = 0;
  for (auto& failure : evidence.failures) {
    const bool has_kernels = !evidence.base_code.empty() || !evidence.head_code.empty();
    const bool on_gpu = spec.requires_gpu || has_kernels || gpu::find_cuda_error(failure.text).has_value();
    failure.text = gpu::explain_failure(failure);
    const Build* build = failure.side == Side::base ? builds.base : builds.head;
    const auto& listed = failure.side == Side::base ? evidence.base_benchmarks : evidence.head_benchmarks;
    const bool can_run_alone = of_check ? reruns == 0  // the check program runs all its cases at once
                                        : std::find(listed.begin(), listed.end(), failure.benchmark) != listed.end();
    const bool worth_it = failure.verdict == Verdict::crashed || failure.verdict == Verdict::broken;
    if (!on_gpu || !worth_it || !can_run_alone || build == nullptr || reruns == limits::kRerunsMax) continue;
    if (stage.machine.sanitizer.empty()) continue;
    ++reruns;
    if (auto done = rerun(stage, *build, spec, of_check, failure); !done) return done;
  }
  return {};
}

Status run_sanitizers(JobStage& stage, const SanitizerSpec& tools, const SuiteSpec& spec, const Build& head,
                      SuiteEvidence& evidence, std::vector<std::string>& notices) {
  const std::vector<std::pair<std::string, bool>> asked{{"memcheck", tools.memcheck}, {"racecheck", tools.racecheck}};
  for (const auto& [tool, wanted] : asked) {
    if (!wanted || !stage.machine.facts.has_gpu) continue;
    if (stage.machine.sanitizer.empty()) {
      notices.push_back(spec.name + ": " + tool + " is asked for, and compute-sanitizer is not installed here");
      continue;
    }
    if (auto told = stage.state(RunState::checking, spec.name + ": " + tool); !told) return told;
    const auto report =
        run_tool(stage, head, spec, spec.check, {}, tool, std::max(limits::kSanitizerTimeout, spec.timeout));
    if (!report) return pass_on(report);
    const std::string text = gpu::describe(tool, *report);
    if (report->errors == 0) {
      if (!report->trouble.empty()) notices.push_back(spec.name + ": " + text);
      continue;
    }
    CheckCase found;
    found.suite = spec.name;
    found.name = tool;
    found.error_class = tool;
    found.error_value = report->errors;
    found.fingerprint = fingerprint_of(tool, report->findings.empty() ? tool : report->findings.front().kernel, 0);
    found.text = text;
    evidence.failures.push_back(
        {.benchmark = tool, .verdict = Verdict::broken, .text = text, .fingerprint = found.fingerprint});
    evidence.checks.push_back(std::move(found));
    evidence.checks_passed = false;
  }
  return {};
}

}  // namespace kernelgate
