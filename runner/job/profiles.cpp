// SPDX-License-Identifier: Apache-2.0
#include "runner/job/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/decision/decide.hpp"
#include "core/units/limits.hpp"
#include "runner/code/code.hpp"
#include "runner/job/builds.hpp"
#include "runner/job/stage.hpp"
#include "runner/suite/dialect.hpp"

namespace kernelgate {
namespace {

std::vector<std::string> worst_regressions(const MeasureRequest& request, const SuiteEvidence& evidence) {
  std::vector<Comparison> regressed;
  for (Comparison& comparison : decide_suite(evidence, request.policy, request.stored))
    if (comparison.verdict == Verdict::regressed && comparison.pairs > 0) regressed.push_back(std::move(comparison));
  std::stable_sort(regressed.begin(), regressed.end(),
                   [](const Comparison& a, const Comparison& b) { return a.ratio.value_or(1) > b.ratio.value_or(1); });
  std::vector<std::string> out;
  for (const Comparison& comparison : regressed)
    if (out.size() < limits::kProfiledMax) out.push_back(comparison.benchmark);
  return out;
}

// Nobody waits for its progress, and what it builds is a run's.
struct QuietReporter final : JobReporter {
  Status state(RunState, const std::string&) override { return {}; }
  Result<std::optional<std::int64_t>> resolved(const wire::Resolved&) override { return std::nullopt; }
  Status process(const Process&) override { return {}; }
  Status log(const std::string&, const std::string&) override { return {}; }
};

constexpr const char* kNoProfiler = "there is no Nsight Compute (ncu) on this machine";

Result<KernelProfile> profile_build(JobStage& stage, const EffectiveManifest& effective_manifest,
                                    const CommitHash& commit, BuildRole role, const std::string& benchmark) {
  const auto build = build_commit(stage, effective_manifest, commit, role);
  if (!build) return pass_on(build);
  if (!build->ok) return fail(Errc::invalid, "does not build: " + failure_text(*build), commit.short_str());
  for (const SuiteSpec& spec : effective_manifest.manifest.suites) {
    if (spec.name != stage.request.only_suite) continue;
    const auto side = list_side(stage, spec, *build);
    if (!side) return pass_on(side);
    const auto& names = side->listing.benchmarks;
    if (std::find(names.begin(), names.end(), benchmark) == names.end()) break;
    if (auto held = stage.hold_device(RunState::measuring); !held) return pass_on(held);
    auto profile = profile_side(stage.machine, spec, *side, benchmark, stage.stop);
    if (!profile) return pass_on(profile);
    return std::move(profile->kernels.front());
  }
  return fail(Errc::not_found, "has no benchmark '" + benchmark + "' in suite " + stage.request.only_suite,
              commit.short_str());
}

}  // namespace

Result<ProfiledPair> profile_pair(const JobMachine& machine, const JobRequest& request, const CommitHash& base,
                                  const std::string& benchmark, const std::stop_token& stop) {
  if (gpu::find_cuda_tool("ncu", machine.cuda_tools).empty()) return fail(Errc::unsupported, kNoProfiler);
  QuietReporter quiet;
  JobStage stage(machine, request, quiet, stop);
  const auto found = find_effective_manifest(request, base);
  if (!found) return pass_on(found);
  if (!found->effective_manifest)
    return fail(Errc::invalid, "head's manifest cannot be read: " + found->malformed->text);
  auto before = profile_build(stage, *found->effective_manifest, base, BuildRole::base, benchmark);
  if (!before) return pass_on(before);
  auto after = profile_build(stage, *found->effective_manifest, request.head, BuildRole::head, benchmark);
  if (!after) return pass_on(after);
  return ProfiledPair{std::move(*before), std::move(*after)};
}

Result<gpu::Profile> profile_side(const JobMachine& machine, const SuiteSpec& spec, const MeasuredSide& side,
                                  const std::string& benchmark, const std::stop_token& stop) {
  const auto ncu = gpu::find_cuda_tool("ncu", machine.cuda_tools);
  if (ncu.empty()) return fail(Errc::unsupported, kNoProfiler);
  std::vector<std::string> flags = suite::once_flags(spec.format, benchmark);
  if (spec.format == SuiteFormat::google_benchmark) {
    suite::StartFlags start;
    start.benchmarks = {benchmark};
    start.sample_ms = spec.sample_ms;
    start.min_time = side.listing.min_time;
    start.out = "/dev/null";
    flags = suite::start_flags(start);
  }
  const bool cold = benchmark.find("/cold") != std::string::npos;  // as the timing kit names them
  return gpu::profile_benchmark({machine.sandbox, ncu, side.side.before, side.side.line, flags, side.side.mounts, cold},
                                stop);
}

Status profile_regressions(JobStage& stage, const MeasureRequest& request, SuiteEvidence& evidence,
                           std::vector<std::string>& notices) {
  if (!stage.machine.facts.has_gpu || !request.base || !request.head) return {};
  int number = 0;
  for (const std::string& benchmark : worst_regressions(request, evidence)) {
    ++number;
    for (const Side side : {Side::base, Side::head}) {
      const std::string name(to_string(side));
      const std::string progress = fmt::format("{}: profiling {} of {}", evidence.name, benchmark, name);
      if (auto told = stage.state(RunState::measuring, progress); !told) return told;
      const auto& measured = side == Side::base ? *request.base : *request.head;
      const auto profile = profile_side(stage.machine, request.setup.spec, measured, benchmark, stage.stop);
      if (!profile) {
        notices.push_back(
            fmt::format("{}: the regressions were not profiled: {}", evidence.name, to_string(profile.error())));
        return {};
      }
      KernelProfile longest = profile->kernels.front();
      longest.benchmark = benchmark;
      longest.side = side;
      evidence.profiles.push_back(std::move(longest));
      if (auto told = stage.log(fmt::format("profile-{}-{}-{}", name, evidence.name, number), profile->page); !told)
        return told;
    }
  }
  return {};
}

}  // namespace kernelgate
