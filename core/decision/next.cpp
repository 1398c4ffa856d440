// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/decision/decide.hpp"
#include "core/decision/suite_view.hpp"

namespace kernelgate {
namespace {

// Redone pairs keep their number; a number is lost only where a process gave nothing. Half of
// max_pairs may be lost.
int pair_numbers(const Policy& policy) { return policy.max_pairs + policy.max_pairs / 2; }

// Benchmarks that a stored baseline can judge once head has been timed as often as that takes.
NextMeasurement next_alone(const SuiteView& view) {
  NextMeasurement out{.done = true,
                      .round = kScreenRound,
                      .pair = view.pairs().next_pair(kScreenRound),
                      .head_alone = true,
                      .benchmarks = {}};
  int most = 0;
  for (const std::string& benchmark : view.timed) {
    const int wanted = view.stored().wanted(benchmark);
    most = std::max(most, wanted);
    if (view.stored().taken(benchmark) < wanted) out.benchmarks.push_back(benchmark);
  }
  out.done = out.benchmarks.empty() || out.pair >= most + most / 2;
  return out;
}

std::vector<std::string> open_on_the_device(SuiteView& view) {
  std::vector<std::string> out;
  for (const std::string& benchmark : view.timed)
    if (view.judged_by_device(benchmark) && !view.is_cleared(benchmark) && !view.device_sequence(benchmark).finished)
      out.push_back(benchmark);
  return out;
}

std::vector<std::string> open_benchmarks(SuiteView& view, int round) {
  if (round == kDeviceRound) return open_on_the_device(view);
  std::vector<std::string> out;
  for (const std::string& benchmark : view.timed) {
    if (view.is_cleared(benchmark) || !view.judged_by_host(benchmark)) continue;
    if (round == 1) {
      const Sequence first = view.sequence(benchmark, 0);
      if (!first.finished || first.verdict != Verdict::suspected) continue;
    }
    if (!view.sequence(benchmark, round).finished) out.push_back(benchmark);
  }
  return out;
}

}  // namespace

NextMeasurement next_measurement(const SuiteEvidence& suite, const Policy& policy,
                                 std::span<const StoredVariance> stored) {
  if (!suite.checks_passed || suite.identical || !suite.has_head || suite.recorded) return {};
  if (!suite.has_base && suite.stored.empty()) return {};
  SuiteView view(suite, policy, stored);
  if (view.pairs().gpu_s_all() >= policy.gpu_seconds) return {};
  if (NextMeasurement alone = next_alone(view); !alone.done) return alone;
  if (!suite.has_base) return {};
  for (int round : {kDeviceRound, 0, 1}) {
    const int pair = view.pairs().next_pair(round);
    if (pair >= pair_numbers(policy)) continue;
    std::vector<std::string> open = open_benchmarks(view, round);
    if (!open.empty()) return {.done = false, .round = round, .pair = pair, .benchmarks = std::move(open)};
  }
  return {};
}

}  // namespace kernelgate
