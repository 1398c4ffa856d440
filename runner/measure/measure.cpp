// SPDX-License-Identifier: Apache-2.0
#include "runner/measure/measure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/decision/suite_view.hpp"
#include "runner/measure/clock_gaps.hpp"
#include "runner/measure/device_side.hpp"
#include "runner/measure/side_runner.hpp"

namespace kernelgate {
namespace {

class PairLoop {
 public:
  PairLoop(const MeasureRequest& request, SuiteEvidence& evidence, int& order, std::vector<std::string>& notices,
           DisturbanceProbe& probe, const MeasureHooks& hooks)
      : request_(request),
        evidence_(evidence),
        notices_(notices),
        probe_(probe),
        hooks_(hooks),
        redos_left_(request.policy.max_pairs / 2) {
    if (request.base) base_.emplace(request, Side::base, evidence, order, notices, probe, hooks);
    if (request.head) head_.emplace(request, Side::head, evidence, order, notices, probe, hooks);
    if (request.base && request.head && request.clock != ClockKind::host) {
      device_base_.emplace(request, Side::base, evidence, order, probe, hooks);
      device_head_.emplace(request, Side::head, evidence, order, probe, hooks);
    }
  }

  Status run(std::stop_token stop) {
    NextMeasurement last;
    while (head_) {
      const NextMeasurement next = next_measurement(evidence_, request_.policy, request_.stored);
      if (next.done) break;
      if (!next.head_alone && !base_) break;
      if (next.round == last.round && next.pair == last.pair && next.benchmarks == last.benchmarks)
        return fail(Errc::corrupt, "the measurement of pair " + std::to_string(next.pair) + " brings nothing new",
                    evidence_.name);
      last = next;
      say(next);
      const StartTarget target{next.round, next.pair, 0};
      const Status done = next.head_alone              ? take_alone(next.benchmarks, target, stop)
                          : next.round == kDeviceRound ? take_device_pair(next, stop)
                                                       : take_pair(next, stop);
      if (!done) return done;
    }
    if (const std::string text = clocks_.notice(); !text.empty()) notices_.push_back(evidence_.name + ": " + text);
    return take_added(stop);
  }

 private:
  void say(const NextMeasurement& next) {
    if (!hooks_.progress) return;
    const std::string target = next.head_alone ? fmt::format("head alone, process {}", next.pair + 1)
                                               : fmt::format("{}pair {} of {}", round_text(next.round), next.pair + 1,
                                                             request_.policy.max_pairs);
    hooks_.progress(fmt::format("{}: {}, {} benchmark{} open", evidence_.name, target, next.benchmarks.size(),
                                next.benchmarks.size() == 1 ? "" : "s"));
  }

  static const char* round_text(int round) {
    return round == kDeviceRound ? "device's clock, " : round == 0 ? "" : "once more, ";
  }

  // One pair of each benchmark, neighbours in time. A clock that cannot be read is not asked again.
  Status take_device_pair(const NextMeasurement& next, std::stop_token stop) {
    const bool base_first = first_side(request_.seed, evidence_.name, next.round, next.pair) == Side::base;
    for (const std::string& benchmark : next.benchmarks) {
      if (gpu_s_spent() >= request_.policy.gpu_seconds) return {};
      for (StartTarget target{next.round, next.pair, 0};; ++target.attempt) {
        if (auto admitted = probe_.admit(hooks_.progress, stop); !admitted) return admitted;
        const auto first = (base_first ? *device_base_ : *device_head_).run(benchmark, target, stop);
        if (!first) return pass_on(first);
        const auto second = (base_first ? *device_head_ : *device_base_).run(benchmark, target, stop);
        if (!second) return pass_on(second);
        for (const auto* side : {&*device_base_, &*device_head_})
          if (!side->refusal().empty()) {
            evidence_.clock = ClockKind::host;
            notices_.push_back(evidence_.name + ": no device times, the host's clock judges: " + side->refusal());
            return {};
          }
        if ((!*first && !*second) || redos_left_ == 0) break;
        --redos_left_;
      }
    }
    return {};
  }

  [[nodiscard]] double gpu_s_spent() const {
    double spent = 0;
    for (const Process& process : evidence_.processes) spent += process.gpu_s;
    return spent;
  }

  Status take_pair(const NextMeasurement& next, std::stop_token stop) {
    const bool base_first = first_side(request_.seed, evidence_.name, next.round, next.pair) == Side::base;
    StartTarget target{next.round, next.pair, 0};
    while (true) {
      if (auto admitted = probe_.admit(hooks_.progress, stop); !admitted) return admitted;
      const auto first = (base_first ? *base_ : *head_).run(next.benchmarks, target, stop);
      if (!first) return pass_on(first);
      const auto second = (base_first ? *head_ : *base_).run(next.benchmarks, target, stop);
      if (!second) return pass_on(second);
      if (!*first && !*second) {
        clocks_.add(base_->clock_mhz(), head_->clock_mhz());
        return {};
      }
      if (redos_left_ == 0) {
        notices_.push_back(
            fmt::format("{}: pair {} was disturbed and is kept: no redo is left", evidence_.name, next.pair + 1));
        return {};
      }
      --redos_left_;
      ++target.attempt;
    }
  }

  Status take_alone(const std::vector<std::string>& benchmarks, StartTarget target, std::stop_token stop) {
    while (true) {
      if (auto admitted = probe_.admit(hooks_.progress, stop); !admitted) return admitted;
      const auto disturbed = head_->run(benchmarks, target, stop);
      if (!disturbed) return pass_on(disturbed);
      if (!*disturbed) return {};
      if (redos_left_ == 0) {
        notices_.push_back(
            fmt::format("{}: process {} was disturbed and is kept: no redo is left", evidence_.name, target.pair + 1));
        return {};
      }
      --redos_left_;
      ++target.attempt;
    }
  }

  // Benchmarks that only head has: history gets its samples, and one that crashes is found out.
  Status take_added(std::stop_token stop) {
    if (!head_) return {};
    for (int process = 0; process < request_.alone; ++process) {
      const std::vector<std::string> added = added_benchmarks();
      if (added.empty()) return {};
      if (hooks_.progress)
        hooks_.progress(request_.alone == 1 ? fmt::format("{}: {} added benchmarks", evidence_.name, added.size())
                                            : fmt::format("{}: process {} of {}, {} benchmarks", evidence_.name,
                                                          process + 1, request_.alone, added.size()));
      if (auto done = take_alone(added, StartTarget{0, process, 0}, stop); !done) return done;
    }
    return {};
  }

  [[nodiscard]] std::vector<std::string> added_benchmarks() const {
    const std::vector<std::string> known = base_names(evidence_);
    std::vector<std::string> added;
    for (const auto& benchmark : evidence_.head_benchmarks)
      if (std::find(known.begin(), known.end(), benchmark) == known.end()) added.push_back(benchmark);
    return added;
  }

  const MeasureRequest& request_;
  SuiteEvidence& evidence_;
  std::vector<std::string>& notices_;
  DisturbanceProbe& probe_;
  const MeasureHooks& hooks_;
  int redos_left_;
  ClockGaps clocks_;
  std::optional<SideRunner> base_, head_;
  std::optional<DeviceSide> device_base_, device_head_;
};

// A suite that cannot even list its benchmarks fails each one that the other side knows.
void fail_listing(const MeasuredSide& measured, Side side, const std::vector<std::string>& other_names,
                  SuiteEvidence& evidence) {
  CaseFailure failure;
  failure.side = side;
  failure.verdict = verdict_of(measured.listing.ended.end);
  failure.signal = measured.listing.ended.signal;
  failure.text = "the suite does not list its benchmarks: " + measured.listing.ended.text;
  if (other_names.empty()) {
    failure.benchmark = evidence.name;
    evidence.failures.push_back(failure);
  }
  for (const auto& name : other_names) {
    failure.benchmark = name;
    evidence.failures.push_back(failure);
  }
}

}  // namespace

Status measure_suite(const MeasureRequest& request, SuiteEvidence& evidence, int& order,
                     std::vector<std::string>& notices, DisturbanceProbe& probe, const MeasureHooks& hooks,
                     std::stop_token stop) {
  evidence.clock = request.base && request.head ? request.clock : ClockKind::host;
  evidence.has_base = request.base.has_value();
  evidence.has_head = request.head.has_value();
  if (request.base) evidence.base_benchmarks = request.base->listing.benchmarks;
  if (request.head) evidence.head_benchmarks = request.head->listing.benchmarks;
  const bool base_lists = !request.base || request.base->listing.ended.end == ProcessEnd::ok;
  const bool head_lists = !request.head || request.head->listing.ended.end == ProcessEnd::ok;
  if (!head_lists) fail_listing(*request.head, Side::head, evidence.base_benchmarks, evidence);
  if (!base_lists) fail_listing(*request.base, Side::base, evidence.head_benchmarks, evidence);
  if (!base_lists || !head_lists) return {};
  return PairLoop(request, evidence, order, notices, probe, hooks).run(stop);
}

}  // namespace kernelgate
