// SPDX-License-Identifier: Apache-2.0
#include "commands/duel/duel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <regex>
#include <utility>

#include "core/decision/decide.hpp"
#include "platform/process/command_line.hpp"
#include "platform/process/process.hpp"
#include "runner/check/check.hpp"
#include "runner/gpu/probe.hpp"
#include "runner/measure/measure.hpp"
#include "runner/testbed/testbed.hpp"

namespace kernelgate::local {
namespace {

namespace fs = std::filesystem;
using Say = std::function<void(const std::string&)>;

constexpr const char* kSuiteName = "duel";

// A file is started as it is; anything else is a line for the shell.
Result<std::string> line_of(const DuelRequest& request, const std::string& command, const char* which) {
  if (command.find_first_not_of(" \t") == std::string::npos)
    return fail(Errc::invalid, "no command", which, "give an executable or a command line");
  std::string line = command;
  std::error_code error;
  const fs::path path = request.folder / command;
  if (fs::is_directory(path, error)) return fail(Errc::invalid, "is a folder, not a program", command);
  if (fs::exists(path, error))
    line = shell_word(path.string());
  else if (command.find('/') != std::string::npos && command.find(' ') == std::string::npos)
    return fail(Errc::not_found, "no such file", command, "a path is taken from this folder");
  for (const std::string& argument : request.arguments) line += " " + shell_word(argument);
  return line;
}

bool starts_pytest(const std::string& line) {
  const std::string first = line.substr(0, line.find(' '));
  return fs::path(first).filename() == "pytest" || line.find("-m pytest") != std::string::npos;
}

std::vector<SuiteFormat> formats_of(const DuelRequest& request, const std::string& line) {
  if (request.format) return {*request.format};
  if (starts_pytest(line)) return {SuiteFormat::pytest_benchmark};
  return {SuiteFormat::google_benchmark, SuiteFormat::nvbench, SuiteFormat::samples};
}

// The shell's own exit codes where a program is not there or may not be started: the line is wrong, not NEW.
bool not_started(const CaseFailure& failure) {
  return failure.text.rfind("exit code 127", 0) == 0 || failure.text.rfind("exit code 126", 0) == 0;
}

class Duel {
 public:
  Duel(const DuelRequest& request, Sandbox sandbox, const MachineFacts& machine, Say progress, std::stop_token stop)
      : request_(request),
        sandbox_(std::move(sandbox)),
        progress_(std::move(progress)),
        stop_(std::move(stop)),
        probe_(gpu::make_probe(request.gpu, {.probe_folder = request.probe_folder})) {
    setup_.sandbox = &sandbox_;
    setup_.spec.name = kSuiteName;
    setup_.spec.time = request.time;
    setup_.spec.timeout = request.timeout;
    setup_.cpus = request.cpus;
    setup_.gpu = machine.has_gpu;
    setup_.env = machine.environment;
  }

  Result<DuelOutcome> run() {
    const auto began = std::chrono::steady_clock::now();
    if (const Status held = probe_->hold(progress_, stop_); !held) return pass_on(held);
    auto outcome = measured();
    probe_->let_go();
    if (outcome) outcome->wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return outcome;
  }

 private:
  Result<DuelOutcome> measured() {
    auto base = side_of(request_.old_command, "OLD");
    if (!base) return pass_on(base);
    auto head = side_of(request_.new_command, "NEW");
    if (!head) return pass_on(head);
    DuelOutcome out;
    RunEvidence run;
    SuiteEvidence& suite = run.suites.emplace_back();
    suite.name = kSuiteName;
    if (const Status checked = check(*head, suite, out); !checked) return pass_on(checked);
    if (suite.checks_passed) {
      const Status timed = time(std::move(*base), std::move(*head), run, out);
      out.stopped = !timed && stop_.stop_requested() && !suite.processes.empty();
      if (!timed && !out.stopped) return pass_on(timed);
    }
    out.decision = decide_run(run, request_.policy, {});
    return out;
  }

  // Lists the program's benchmarks, in the first format that it answers in.
  Result<MeasuredSide> side_of(const std::string& command, const char* which) {
    auto line = line_of(request_, command, which);
    if (!line) return pass_on(line);
    MeasuredSide out{{*line, {{request_.folder, std::string(kInsideBuild), true}}}, {}};
    std::string said;
    for (const SuiteFormat format : known_format_ ? std::vector{*known_format_} : formats_of(request_, *line)) {
      setup_.spec.format = format;
      auto listing = list_benchmarks(setup_, out.side, stop_);
      if (!listing) return pass_on(listing);
      if (listing->ended.end == ProcessEnd::ok && !listing->benchmarks.empty()) {
        const auto deaf = lists_what_nobody_asked_for(out.side);
        if (!deaf) return pass_on(deaf);
        if (*deaf) {
          said += fmt::format("{}as {}: it prints lines where none is asked for", said.empty() ? "" : "; ",
                              to_string(format));
          continue;
        }
        known_format_ = format;
        out.listing = std::move(*listing);
        return filtered(std::move(out));
      }
      const std::string why = listing->ended.text.empty() ? "lists no benchmark" : listing->ended.text;
      if (listing->ended.end == ProcessEnd::timed_out) return fail(Errc::invalid, why, command, "raise --timeout");
      said += fmt::format("{}as {}: {}", said.empty() ? "" : "; ", to_string(format), why);
    }
    return fail(Errc::invalid, fmt::format("{} does not list its benchmarks ({})", which, said), command,
                "give a program of Google Benchmark or NVBench, one that prints samples (docs/FORMATS.md), or a pytest "
                "command; --suite-format names one");
  }

  // A program that ignores its flags and prints lines looks like one that lists its benchmarks. Asked for none, it
  // prints lines all the same.
  [[nodiscard]] Result<bool> lists_what_nobody_asked_for(SuiteSide side) const {
    if (setup_.spec.format != SuiteFormat::google_benchmark) return false;
    side.line += " '--benchmark_filter=^$'";
    const auto none = list_benchmarks(setup_, side, stop_);
    if (!none) return pass_on(none);
    return none->ended.end == ProcessEnd::ok && !none->benchmarks.empty();
  }

  [[nodiscard]] Result<MeasuredSide> filtered(MeasuredSide side) const {
    if (request_.filter.empty()) return side;
    const std::regex filter(request_.filter);
    std::erase_if(side.listing.benchmarks,
                  [&filter](const std::string& name) { return !std::regex_search(name, filter); });
    if (side.listing.benchmarks.empty())
      return fail(Errc::invalid, "no benchmark matches '" + request_.filter + "'", "--filter");
    return side;
  }

  Status check(const MeasuredSide& head, SuiteEvidence& suite, DuelOutcome& out) {
    if (request_.check.empty()) return {};
    progress_("checking");
    auto report = run_check(sandbox_,
                            {.suite = kSuiteName,
                             .side = Side::head,
                             .line = request_.check,
                             .mounts = head.side.mounts,
                             .timeout = request_.timeout,
                             .gpu = setup_.gpu},
                            stop_);
    if (!report) return pass_on(report);
    if (const auto none = std::find_if(report->failures.begin(), report->failures.end(), not_started);
        none != report->failures.end())
      return fail(Errc::invalid, "the check cannot be started: " + report->log, "--check",
                  "give a line for the shell, such as ./gemm_check");
    suite.checks_ran = true;
    suite.checks_passed = report->passed();
    suite.checks = std::move(report->cases);
    suite.failures = std::move(report->failures);
    if (!suite.checks_passed) out.check_log = std::move(report->log);
    return {};
  }

  Status time(MeasuredSide base, MeasuredSide head, RunEvidence& run, DuelOutcome& out) {
    MeasureRequest request{
        .setup = setup_, .base = std::move(base), .head = std::move(head), .policy = request_.policy, .stored = {}};
    request.seed = std::random_device()();
    MeasureHooks hooks;
    hooks.process_ended = [&out](const Process& process) {
      out.gpu_s += process.gpu_s;
      return Status();
    };
    hooks.progress = progress_;
    int order = 0;
    return measure_suite(request, run.suites.front(), order, run.notices, *probe_, hooks, stop_);
  }

  const DuelRequest& request_;
  const Sandbox sandbox_;
  const Say progress_;
  const std::stop_token stop_;
  const std::unique_ptr<DisturbanceProbe> probe_;
  SuiteSetup setup_;
  std::optional<SuiteFormat> known_format_;
};

}  // namespace

Result<DuelOutcome> duel(const DuelRequest& request, const Say& progress, const std::stop_token& stop) {
  if (const Status band = check_band(request.policy, "duel"); !band) return pass_on(band);
  try {
    (void)std::regex(request.filter);
  } catch (const std::regex_error&) {
    return fail(Errc::invalid, "'" + request.filter + "' is not a valid regular expression", "--filter",
                "write one such as 'gemm/.*/4096'");
  }
  if (const Status there = check_cpus(request.cpus); !there) return pass_on(there);
  const MachineFacts machine = read_machine_facts("duel", request.gpu);
  if (request.gpu != 0 && !machine.has_gpu)
    return fail(Errc::not_found, "there is no GPU " + std::to_string(request.gpu), "--gpu", "count from 0");
  auto sandbox = Sandbox::open({.none = true});
  if (!sandbox) return pass_on(sandbox);
  return Duel(request, std::move(*sandbox), machine, progress, stop).run();
}

}  // namespace kernelgate::local
