// SPDX-License-Identifier: Apache-2.0
#include "commands/calibrate/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

#include "commands/calibrate/probe_repository.hpp"
#include "commands/calibrate/trials.hpp"
#include "commands/local_machine.hpp"
#include "core/decision/decide.hpp"
#include "core/manifest/manifest.hpp"
#include "core/units/limits.hpp"
#include "core/units/time.hpp"
#include "platform/process/process.hpp"
#include "runner/gpu/probe.hpp"
#include "runner/job/job.hpp"

namespace kernelgate::local {
namespace {

// A calibration is no run: nothing of it is kept but its figures.
class ProgressReporter final : public JobReporter {
 public:
  explicit ProgressReporter(RunProgress progress) : progress_(std::move(progress)) {}
  Status state(RunState, const std::string& text) override {
    progress_(text);
    return {};
  }
  Result<std::optional<std::int64_t>> resolved(const wire::Resolved&) override { return std::optional<std::int64_t>(); }
  Status process(const Process&) override { return {}; }
  Status log(const std::string&, const std::string&) override { return {}; }

 private:
  const RunProgress progress_;
};

Status check_options(const CalibrateOptions& options) {
  if (options.pairs < 2 || options.pairs > limits::kPairsMax || options.pairs % 2 != 0)
    return fail(Errc::invalid, fmt::format("{} pairs", options.pairs), "--pairs",
                fmt::format("an even number from 2 to {}", limits::kPairsMax));
  if (!(options.gpu_seconds >= 1 && options.gpu_seconds <= limits::kGpuSecondsMax))
    return fail(Errc::invalid, fmt::format("a budget of {} seconds", options.gpu_seconds), "--gpu-seconds",
                fmt::format("measured seconds of each part, from 1 to {}: leave it out for {}", limits::kGpuSecondsMax,
                            CalibrateOptions{}.gpu_seconds));
  for (const double slowdown : options.slowdowns)
    if (!(slowdown > 0 && slowdown <= 1))
      return fail(Errc::invalid, fmt::format("a slowdown of {}", slowdown), "--inject",
                  "a fraction above 0 and at most 1: 0.03 is 3 %");
  return {};
}

// Text of the caller's manifest; empty: the repository's own counts.
Result<std::string> manifest_text(const std::filesystem::path& file) {
  if (file.empty()) return std::string();
  std::ifstream in(file, std::ios::binary);
  std::string text(limits::kManifestMax.value + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.gcount() == 0) return fail(Errc::not_found, "the manifest cannot be read", file.string());
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (const auto parsed = parse_manifest(text, file.string()); !parsed) return pass_on(parsed);
  return text;
}

class Calibrator {
 public:
  Calibrator(const CalibrateOptions& options, LocalMachine& here, const RunProgress& progress, std::stop_token stop)
      : options_(options),
        here_(here),
        progress_(progress),
        stop_(std::move(stop)),
        probe_(gpu::make_probe(options.run.gpu, {.probe_folder = options.run.probe_folder})) {}

  Result<Calibrated> run(const Git& git, const CommitHash& head, const std::string& manifest) {
    if (Status right = check_filter(options_.run.filter); !right) return pass_on(right);
    if (Status entered = enter(git); !entered) return pass_on(entered);
    out_.testbed = here_.facts.text;
    out_.facts = here_.facts.testbed;
    out_.pairs = options_.pairs;
    out_.found.commit = head.str();
    out_.found.rule_version = kRuleVersion;
    out_.found.program = options_.run.program;
    const auto policy = measure(git, head, head, manifest, 0);
    if (!policy) return pass_on(policy);
    if (out_.found.benchmarks.empty())
      return fail(Errc::not_found, "no benchmark was measured", "calibration", "look at --suite and --filter");
    if (Status done = inject(*policy); !done) {
      if (stop_.stop_requested() || done.error().code != Errc::unavailable) return pass_on(done);
      out_.notices.push_back("known slowdowns were not injected: " + to_string(done.error()));  // no compiler here, say
    }
    if (Status kept = keep(); !kept) return pass_on(kept);
    return std::move(out_);
  }

 private:
  Status enter(const Git& git) {
    auto entered =
        service::enter_calibration(here_.store, local_repository(git), here_.facts.testbed, SystemClock().now());
    if (!entered) return pass_on(entered);
    entered_ = std::move(*entered);
    return {};
  }

  Status keep() {
    out_.found.at = SystemClock().now();
    auto kept = service::keep_calibration(here_.store, entered_, out_.found);
    if (!kept) return pass_on(kept);
    out_.outranked = std::move(kept->outranked);
    out_.quarantined = std::move(kept->quarantined);
    return {};
  }

  // Adds what was found of each benchmark; the policy that the repository is judged by.
  Result<Policy> measure(const Git& git, const CommitHash& base, const CommitHash& head, const std::string& manifest,
                         double injected) {
    JobRequest request{.git = &git,
                       .origin = {&here_.mirrors, git.git_dir().string()},
                       .head = head,
                       .base = {wire::BaseKind::explicit_commit, base.str()},
                       .registered_manifest = manifest,
                       .registered_origin = options_.run.manifest.string(),
                       .stored = entered_.stored};
    request.calibration = CalibrationPlan{options_.pairs, options_.gpu_seconds};
    request.seed = std::random_device()();
    if (injected == 0 && !measuring_probe_) {
      request.only_suite = options_.run.suite;
      request.filter = options_.run.filter;
    }
    ProgressReporter reporter([&](const std::string& text) {
      progress_(injected == 0 ? text : fmt::format("{:+.3g} %: {}", 100 * injected, text));
    });
    const JobMachine machine{&here_.sandbox, &here_.builds, probe_.get(), here_.facts, options_.run.cpus};
    const auto result = run_job(machine, request, reporter, stop_);
    if (!result) return pass_on(result);
    if (Status sound = check_evidence(result->evidence); !sound) return pass_on(sound);
    for (const std::string& notice : result->evidence.notices) out_.notices.push_back(notice);
    for (const SuiteEvidence& suite : result->evidence.suites) {
      auto found = count_trials(suite, result->policy, entered_.stored, injected);
      std::move(found.begin(), found.end(), std::back_inserter(out_.found.benchmarks));
    }
    return result->policy;
  }

  static Status check_evidence(const RunEvidence& evidence) {
    if (evidence.head_build == BuildEnd::failed)
      return fail(Errc::unavailable, "does not build here: " + evidence.build_text, "calibration");
    if (!evidence.infrastructure.empty()) return fail(Errc::unavailable, evidence.infrastructure, "calibration");
    for (const SuiteEvidence& suite : evidence.suites)
      if (!suite.failures.empty())
        return fail(Errc::unavailable, suite.failures.front().benchmark + ": " + suite.failures.front().text,
                    "suite " + suite.name, "fix it, or choose others with --suite and --filter");
    return {};
  }

  // Kernelgate's own suite: against itself first, for its noise, then against slower ones.
  Status inject(const Policy& policy) {
    if (options_.slowdowns.empty()) return {};
    measuring_probe_ = true;
    const auto probe =
        ProbeRepository::make(policy, here_.facts.has_gpu ? here_.facts.testbed.compute_capability : std::string());
    if (!probe) return pass_on(probe);
    const auto base = probe->commit(0);
    if (!base) return pass_on(base);
    if (const auto done = measure(probe->git(), *base, *base, {}, 0); !done) return pass_on(done);
    for (const double slowdown : options_.slowdowns) {
      const auto head = probe->commit(slowdown);
      if (!head) return pass_on(head);
      if (const auto done = measure(probe->git(), *base, *head, {}, slowdown); !done) return pass_on(done);
    }
    return {};
  }

  const CalibrateOptions& options_;
  LocalMachine& here_;
  const RunProgress& progress_;
  const std::stop_token stop_;
  std::unique_ptr<DisturbanceProbe> probe_;
  service::CalibrationPlace entered_;
  bool measuring_probe_ = false;
  Calibrated out_;
};

}  // namespace

Result<Calibrated> calibrate(const CalibrateOptions& options, const RunProgress& progress, std::stop_token stop) {
  if (Status right = check_options(options); !right) return pass_on(right);
  if (Status right = check_cpus(options.run.cpus); !right) return pass_on(right);
  const auto git = Git::open(options.run.repository, GitConfig::users);
  if (!git) return pass_on(git);
  const auto head = git->resolve("HEAD");
  if (!head) return pass_on(head);
  const auto manifest = manifest_text(options.run.manifest);
  if (!manifest) return pass_on(manifest);
  auto machine = open_machine(*git, options.run, progress, stop);
  if (!machine) return pass_on(machine);
  return Calibrator(options, **machine, progress, std::move(stop)).run(*git, *head, *manifest);
}

}  // namespace kernelgate::local
