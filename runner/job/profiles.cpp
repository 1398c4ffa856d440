// SPDX-License-Identifier: Apache-2.0
#include "runner/job/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/decision/decide.hpp"
#include "runner/gpu/code.hpp"
#include "runner/job/stage.hpp"
#include "runner/suite/dialect.hpp"

namespace kernelgate {
namespace {

constexpr std::size_t kProfiledMax = 3;  // of one suite: each takes seconds of the card on both sides

std::vector<std::string> worst_regressions(const MeasureRequest& request, const SuiteEvidence& evidence) {
  std::vector<Comparison> regressed;
  for (Comparison& comparison : decide_suite(evidence, request.policy, request.stored))
    if (comparison.verdict == Verdict::regressed && comparison.pairs > 0) regressed.push_back(std::move(comparison));
  std::stable_sort(regressed.begin(), regressed.end(), [](const Comparison& a, const Comparison& b) {
    return a.ratio.value_or(1) > b.ratio.value_or(1);
  });
  std::vector<std::string> out;
  for (const Comparison& comparison : regressed)
    if (out.size() < kProfiledMax) out.push_back(comparison.benchmark);
  return out;
}

}  // namespace

Result<gpu::Profile> profile_side(const JobPlace& place, const SuiteSpec& spec, const MeasuredSide& side,
                                  const std::string& benchmark, const std::stop_token& stop) {
  const auto ncu = gpu::find_cuda_tool("ncu", place.cuda_tools);
  if (ncu.empty()) return fail(Errc::unsupported, "there is no Nsight Compute (ncu) on this machine");
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
  return gpu::profile_benchmark({place.sandbox, ncu, side.side.line, flags, side.side.mounts, cold}, stop);
}

Status profile_regressions(JobStage& stage, const MeasureRequest& request, SuiteEvidence& evidence,
                           std::vector<std::string>& notices) {
  if (!stage.place.machine.has_gpu || !request.base || !request.head) return {};
  int number = 0;
  for (const std::string& benchmark : worst_regressions(request, evidence)) {
    ++number;
    for (const Side side : {Side::base, Side::head}) {
      const std::string name(to_string(side));
      const std::string progress = fmt::format("{}: profiling {} of {}", evidence.name, benchmark, name);
      if (auto told = stage.state(RunState::measuring, progress); !told) return told;
      const auto& measured = side == Side::base ? *request.base : *request.head;
      const auto profile = profile_side(stage.place, request.setup.spec, measured, benchmark, stage.stop);
      if (!profile) {
        notices.push_back(fmt::format("{}: the regressions were not profiled: {}", evidence.name,
                                      to_string(profile.error())));
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
