// SPDX-License-Identifier: Apache-2.0
#include "runner/job/pinning.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/decision/explain/attribution.hpp"
#include "core/units/limits.hpp"

namespace kernelgate {
namespace {

constexpr const char* kPinVariable = "KG_CONFIGURATIONS";  // kernels/bench/README.md has the convention

double seconds_of(const SuiteEvidence& evidence) {
  double sum = 0;
  for (const Process& process : evidence.processes) sum += process.gpu_s;
  return sum;
}

// One try: all of `moved` with the configuration that the side opposite to `pinned` had chosen.
class PinnedTry {
 public:
  PinnedTry(const std::vector<Comparison>& moved, Side pinned) : moved_(moved), pinned_(pinned) {}

  Status measure(MeasureRequest request, const MeasureHooks& hooks, DisturbanceProbe& probe,
                 const std::stop_token& stop) {
    evidence_.name = request.setup.spec.name;
    std::vector<std::string> names;
    std::string lines;
    for (const Comparison& c : moved_) {
      names.push_back(c.benchmark);
      lines += c.benchmark + "=" + asked(c) + "\n";
    }
    request.setup.env.emplace_back(kPinVariable, lines);
    request.base->listing.benchmarks = request.head->listing.benchmarks = names;
    request.policy.max_pairs = std::min(request.policy.max_pairs, limits::kPinnedPairsMax);
    request.policy.against = Against::pairs;
    MeasureHooks own;
    own.process_ended = [&](const Process& process) -> Status {
      if (Status counted = hooks.process_ended(process); !counted) return counted;
      useless_ = process.end == ProcessEnd::ok && std::none_of(moved_.begin(), moved_.end(), [&](const Comparison& c) {
                   return ran_as_asked(process, c);
                 });
      return useless_ ? Status(fail(Errc::unsupported, "nothing ran as it was pinned")) : Status();
    };
    own.progress = [&](const std::string& text) { hooks.progress("with one configuration pinned: " + text); };
    int order = 0;
    std::vector<std::string> notices;  // of pairs that decide nothing
    const Status measured = measure_suite(request, evidence_, order, notices, probe, own, stop);
    if (!measured && !useless_) return measured;
    comparisons_ = decide_suite(evidence_, request.policy, request.stored);
    return {};
  }

  [[nodiscard]] double seconds() const { return seconds_of(evidence_); }

  [[nodiscard]] PinnedResult result_of(const Comparison& moved) const {
    PinnedResult out{.benchmark = moved.benchmark, .pinned = pinned_, .configuration = asked(moved)};
    out.failure = failure_of(moved);
    const auto found = std::find_if(comparisons_.begin(), comparisons_.end(),
                                    [&](const Comparison& c) { return c.benchmark == moved.benchmark; });
    if (out.failure.empty() && (found == comparisons_.end() || !found->ratio || found->pairs == 0))
      out.failure = found == comparisons_.end() ? "it was not timed" : found->reason;
    if (!out.failure.empty()) return out;
    out.pairs = found->pairs;
    out.ratio = found->ratio;
    out.ratio_low = found->ratio_low;
    out.ratio_high = found->ratio_high;
    out.verdict = found->verdict;
    return out;
  }

 private:
  [[nodiscard]] std::string asked(const Comparison& c) const {
    return pinned_ == Side::head ? c.base_configuration : c.head_configuration;
  }

  [[nodiscard]] bool ran_as_asked(const Process& process, const Comparison& c) const {
    return std::any_of(process.series.begin(), process.series.end(), [&](const Series& series) {
      return series.benchmark == c.benchmark && series.error.empty() && series.configuration == asked(c);
    });
  }

  // The suite's own words where it refused; else what it ran instead.
  [[nodiscard]] std::string failure_of(const Comparison& moved) const {
    for (const Process& process : evidence_.processes)
      for (const Series& series : process.series) {
        if (series.benchmark != moved.benchmark) continue;
        const std::string side(to_string(process.side));
        if (!series.error.empty()) return side + ": " + series.error;
        if (series.configuration != asked(moved))
          return fmt::format("{} ran {}, not {}: its suite does not keep to {}", side,
                             series.configuration.empty() ? "what it does not name" : series.configuration,
                             asked(moved), kPinVariable);
      }
    for (const CaseFailure& failure : evidence_.failures)
      if (failure.benchmark == moved.benchmark) return std::string(to_string(failure.side)) + ": " + failure.text;
    return {};
  }

  const std::vector<Comparison>& moved_;
  Side pinned_;
  bool useless_ = false;
  SuiteEvidence evidence_;
  std::vector<Comparison> comparisons_;
};

}  // namespace

Status measure_pinned(JobStage& stage, const MeasureRequest& request, SuiteEvidence& evidence,
                      std::vector<std::string>& notices, const MeasureHooks& hooks) {
  if (!request.base || !request.head) return {};
  std::vector<Comparison> moved = moved_with_choice(decide_suite(evidence, request.policy, request.stored));
  if (moved.size() > limits::kPinnedMax) {
    notices.push_back(fmt::format("{}: {} of {} benchmarks that moved with another configuration are compared pinned",
                                  evidence.name, limits::kPinnedMax, moved.size()));
    moved.resize(limits::kPinnedMax);
  }
  MeasureRequest asked = request;
  asked.policy.gpu_seconds -= seconds_of(evidence);
  for (const Side pinned : {Side::head, Side::base}) {
    if (moved.empty()) return {};
    if (asked.policy.gpu_seconds <= 0) {
      notices.push_back(evidence.name + ": nothing is left of gpu_seconds to tell the configuration from the kernel");
      return {};
    }
    PinnedTry attempt(moved, pinned);
    if (auto done = attempt.measure(asked, hooks, *stage.machine.probe, stage.stop); !done) {
      if (stage.stop.stop_requested()) return done;
      notices.push_back(evidence.name +
                        ": the configuration was not distinguished from the kernel: " + to_string(done.error()));
      return {};  // the verdict stands without it
    }
    asked.policy.gpu_seconds -= attempt.seconds();
    std::vector<Comparison> left;
    for (const Comparison& one : moved) {
      evidence.pinned.push_back(attempt.result_of(one));
      if (!evidence.pinned.back().failure.empty()) left.push_back(one);
    }
    moved = std::move(left);
  }
  return {};
}

}  // namespace kernelgate
