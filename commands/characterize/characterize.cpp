// SPDX-License-Identifier: Apache-2.0
#include "commands/characterize/characterize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "commands/local_machine.hpp"
#include "runner/check/check.hpp"
#include "runner/measure/start.hpp"
#include "runner/testbed/needs.hpp"

namespace kernelgate::local {
namespace {

// Holds the device for as long as it lives.
class DeviceHold {
 public:
  explicit DeviceHold(DisturbanceProbe& probe) : probe_(probe) {}
  DeviceHold(const DeviceHold&) = delete;
  DeviceHold& operator=(const DeviceHold&) = delete;
  ~DeviceHold() { probe_.let_go(); }

 private:
  DisturbanceProbe& probe_;
};

class Characterizer {
 public:
  Characterizer(const CharacterizeOptions& options, const Subject& subject, LocalMachine& machine,
                const RunProgress& progress, std::stop_token stop)
      : options_(options), subject_(subject), machine_(machine), progress_(progress), stop_(std::move(stop)) {}

  Result<std::vector<SuiteFigures>> run() {
    for (const SuiteSpec& spec : subject_.manifest.suites) {
      if (!options_.run.suite.empty() && spec.name != options_.run.suite) continue;
      if (auto unmet = unmet_needs(spec, machine_.facts); !unmet.empty())
        return fail(Errc::unsupported, std::move(unmet), {}, "choose another with --suite, or another machine");
    }
    progress_("building " + subject_.head.short_str());
    const auto build = machine_.builds.build({.git = &subject_.git,
                                              .origin = {&machine_.mirrors, subject_.git.git_dir().string()},
                                              .source = Source{subject_.head, {}, {}},
                                              .recipe = subject_.manifest.build},
                                             stop_);
    if (!build) return pass_on(build);
    if (!build->ok)
      return fail(Errc::invalid, "the commit does not build: " + build->failed_stage + " failed", subject_.head.str(),
                  build->log.substr(build->log.size() - std::min<std::size_t>(build->log.size(), 400)));
    if (auto held = machine_.probe->hold(progress_, stop_); !held) return pass_on(held);
    const DeviceHold hold(*machine_.probe);
    std::vector<SuiteFigures> out;
    for (const SuiteSpec& spec : subject_.manifest.suites) {
      if (!options_.run.suite.empty() && spec.name != options_.run.suite) continue;
      auto figures = characterize(spec, *build);
      if (!figures) return pass_on(figures);
      out.push_back(std::move(*figures));
    }
    return out;
  }

 private:
  Result<SuiteFigures> characterize(const SuiteSpec& spec, const Build& build) {
    SuiteEvidence evidence;
    evidence.name = spec.name;
    std::vector<std::string> notes;
    if (auto checked = check(spec, build, evidence); !checked) return pass_on(checked);
    if (!evidence.checks_passed)
      notes.push_back("the checks fail, so nothing was timed");
    else if (auto timed = time(spec, build, evidence, notes); !timed)
      return pass_on(timed);
    SuiteFigures out = figures_of(evidence, machine_.ceilings);
    out.commit = subject_.head.str();
    const auto& testbed = machine_.facts.testbed;
    out.testbed = testbed.gpu_model.empty() ? testbed.host_cpu : testbed.gpu_model + ", driver " + testbed.driver;
    out.price = out.gpu_s / 3600 * options_.price_per_hour;
    out.notes.insert(out.notes.end(), notes.begin(), notes.end());
    return out;
  }

  Status check(const SuiteSpec& spec, const Build& build, SuiteEvidence& evidence) {
    if (spec.check.empty()) return {};
    progress_(spec.name + ": checking");
    const auto line = build.locate(machine_.sandbox, spec.setting, spec.check);
    if (!line) return pass_on(line);
    const auto report = run_check(machine_.sandbox,
                                  {.suite = spec.name,
                                   .line = line->text(),
                                   .mounts = build.mounts(),
                                   .timeout = spec.timeout,
                                   .gpu = machine_.facts.has_gpu},
                                  stop_);
    if (!report) return pass_on(report);
    evidence.checks = report->cases;
    evidence.checks_passed = report->passed();
    return {};
  }

  Status time(const SuiteSpec& spec, const Build& build, SuiteEvidence& evidence, std::vector<std::string>& notes) {
    auto line = build.locate(machine_.sandbox, spec.setting, spec.run);
    if (!line) return pass_on(line);
    const SuiteSetup setup{&machine_.sandbox, spec, options_.run.cpus, machine_.facts.has_gpu};
    const SuiteSide side{std::move(line->command), build.mounts(), std::move(line->before)};
    const auto listing = list_benchmarks(setup, side, stop_);
    if (!listing) return pass_on(listing);
    if (listing->ended.end != ProcessEnd::ok)
      return fail(Errc::invalid, spec.name + " does not list its benchmarks: " + listing->ended.text);
    const std::regex filter(options_.run.filter);
    for (const std::string& name : listing->benchmarks)
      if (std::regex_search(name, filter)) evidence.head_benchmarks.push_back(name);
    if (evidence.head_benchmarks.empty())
      return fail(Errc::not_found, "no benchmark matches '" + options_.run.filter + "'", "--filter");
    const int processes = std::max(options_.processes, kProcessesLeast);
    StartRequest request{.benchmarks = evidence.head_benchmarks, .plan = {}, .min_time = listing->min_time};
    request.plan = suite::plan_repetitions(spec.sample_ms, request.benchmarks.size(), spec.sample_ms);
    request.plan.timed = (options_.samples + processes - 1) / processes;
    for (int i = 0; i < processes; ++i) {
      progress_(fmt::format("{}: process {} of {}", spec.name, i + 1, processes));
      if (auto admitted = machine_.probe->admit(progress_, stop_); !admitted) return admitted;
      machine_.probe->process_starts();
      auto started = start_suite(setup, side, request, stop_);
      const DeviceWindow window = machine_.probe->process_ended();
      if (!started) return pass_on(started);
      evidence.processes.push_back(process_of(spec, *started, window, i));
      if (started->ended.end != ProcessEnd::ok)
        if (auto well = machine_.probe->after_failure(stop_); !well) return well;
      if (window.disturbed) notes.push_back(fmt::format("process {}: {}", i + 1, window.disturbance));
    }
    return {};
  }

  static Process process_of(const SuiteSpec& spec, const Started& started, const DeviceWindow& window, int number) {
    Process out;
    out.suite = spec.name;
    out.side = Side::head;
    out.order = number;
    out.disturbed = window.disturbed;
    out.disturbance = window.disturbance;
    out.state_json = window.state_json;
    out.end = started.ended.end;
    out.text = started.ended.text;
    out.wall_s = out.gpu_s = started.ended.wall_s;
    out.series = started.series;
    return out;
  }

  const CharacterizeOptions& options_;
  const Subject& subject_;
  LocalMachine& machine_;
  const RunProgress& progress_;
  const std::stop_token stop_;
};

}  // namespace

Result<std::vector<SuiteFigures>> characterize_here(const CharacterizeOptions& options, const RunProgress& progress,
                                                    std::stop_token stop) {
  const auto subject = find_subject(options.run);
  if (!subject) return pass_on(subject);
  auto machine = open_machine(subject->git, options.run, progress, stop);
  if (!machine) return pass_on(machine);
  return Characterizer(options, *subject, **machine, progress, std::move(stop)).run();
}

}  // namespace kernelgate::local
