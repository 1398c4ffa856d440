// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/recorded.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "core/decision/rule/looks.hpp"
#include "core/decision/rule/mwu_cliff.hpp"
#include "core/decision/rule/stored_screen.hpp"
#include "core/simulation/noise_model.hpp"
#include "core/simulation/peers.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::simulation {
namespace {

constexpr std::size_t kRepetitions = 20;  // that the rules of repetitions take

using Times = std::vector<double>;
using Rounds = std::map<int, const Times*>;

// One kernel, one variant against base: a trial reads its rounds in a circle from `start` on.
struct Trial {
  const Rounds &base, &same, &head;
  std::size_t start = 0;
  const Policy& policy;

  [[nodiscard]] std::size_t rounds() const { return head.size(); }
  [[nodiscard]] const Times& at(const Rounds& side, std::size_t i) const {
    return *side.at(static_cast<int>((start + i) % rounds()) + 1);
  }
};

std::span<const double> some(const Times& times) {
  return std::span(times).first(std::min(times.size(), kRepetitions));
}

Outcome ours_of_trial(const Trial& trial) {
  static thread_local Quantiles quantiles;
  Times d;
  for (std::size_t i = 0; i < trial.rounds(); ++i)
    d.push_back(median_of(trial.at(trial.head, i)) - median_of(trial.at(trial.base, i)));
  const std::vector<int> looks = look_schedule(static_cast<int>(d.size()), false);
  const Sequence judged = judge_sequence(d, looks, {}, band_of(trial.policy, 1), quantiles);
  return {judged.verdict, 2 * judged.pairs};
}

Outcome mwu_cliff_of_trial(const Trial& trial) {
  std::vector<PairTimes> pairs;
  for (int i = 0; i < 8; ++i) {
    const auto round = static_cast<std::size_t>(i);
    pairs.push_back({i, median_of(trial.at(trial.base, round)), median_of(trial.at(trial.head, round))});
  }
  return {judge_mwu_cliff(pairs, band_of(trial.policy, 1)), 16};
}

// Two processes of head against the other rounds, each a session of its base and its aa process.
Outcome stored_of_trial(const Trial& trial) {
  static thread_local Quantiles quantiles;
  std::vector<StoredSession> sessions;
  for (std::size_t i = 2; i < trial.rounds(); ++i)
    sessions.push_back({median_of(trial.at(trial.base, i)), median_of(trial.at(trial.same, i))});
  const Times head{median_of(trial.at(trial.head, 0)), median_of(trial.at(trial.head, 1))};
  const auto screened =
      screen_against_stored(sessions, head, band_of(trial.policy, 1), quantiles, static_cast<int>(sessions.size()));
  return {screened ? screened->verdict : Verdict::undecided, 2};
}

// The base process of another round is what a stored file would be.
Outcome gbench_stored_of_trial(const Trial& trial) {
  return {gbench_rule(some(trial.at(trial.base, 1)), some(trial.at(trial.head, 0))), 1};
}

Outcome gbench_back_to_back_of_trial(const Trial& trial) {
  return {gbench_rule(some(trial.at(trial.base, 0)), some(trial.at(trial.head, 0))), 2};
}

Outcome nvbench_of_trial(const Trial& trial) {
  return {nvbench_rule(trial.at(trial.base, 1), trial.at(trial.head, 0)), 1};
}

Outcome benchstat_of_trial(const Trial& trial, std::size_t processes, std::size_t head_from) {
  Times old_means, new_means;
  for (std::size_t i = 0; i < processes; ++i) {
    old_means.push_back(mean_of(some(trial.at(trial.base, i))));
    new_means.push_back(mean_of(some(trial.at(trial.head, head_from + i))));
  }
  return {benchstat_rule(old_means, new_means), 2 * static_cast<int>(processes)};
}

Outcome benchstat_blocks_of_trial(const Trial& trial) { return benchstat_of_trial(trial, 6, 6); }
Outcome benchstat_in_turn_of_trial(const Trial& trial) { return benchstat_of_trial(trial, 10, 0); }

template <Verdict (*kRule)(std::span<const double>, double)>
Outcome against_past_of_trial(const Trial& trial) {
  Times past;
  for (std::size_t i = 1; i < trial.rounds(); ++i)
    for (const Rounds* side : {&trial.base, &trial.same}) past.push_back(mean_time(some(trial.at(*side, i))));
  past.resize(std::min<std::size_t>(past.size(), 20));
  return {kRule(past, mean_time(some(trial.at(trial.head, 0)))), 1};
}

struct RecordedRule {
  const char* name;
  Outcome (*run)(const Trial&);
};
constexpr std::array<RecordedRule, 11> kRecordedRules{
    {{"ours", ours_of_trial},
     {"mwu_cliff", mwu_cliff_of_trial},
     {"stored", stored_of_trial},
     {"gbench_compare", gbench_stored_of_trial},
     {"gbench_back_to_back", gbench_back_to_back_of_trial},
     {"nvbench_compare", nvbench_of_trial},
     {"benchstat", benchstat_blocks_of_trial},
     {"benchstat_interleaved", benchstat_in_turn_of_trial},
     {"bencher_percentage", against_past_of_trial<bencher_percentage_rule>},
     {"bencher_t", against_past_of_trial<bencher_t_rule>},
     {"conbench_z", against_past_of_trial<conbench_rule>}}};

using Variants = std::map<std::string, Rounds>;

bool is_whole(const Variants& variants) {
  if (!variants.contains("base") || !variants.contains("aa")) return false;
  const std::size_t rounds = variants.at("base").size();
  return rounds >= kRoundsMin && std::all_of(variants.begin(), variants.end(), [&](const auto& variant) {
           const Rounds& all = variant.second;
           return all.size() == rounds && all.begin()->first == 1 && all.rbegin()->first == static_cast<int>(rounds);
         });
}

double measured_ratio(const Rounds& base, const Rounds& head) {
  double sum = 0;
  for (const auto& [round, times] : head) sum += median_of(*times) - median_of(*base.at(round));
  return std::exp(sum / static_cast<double>(head.size()));
}

RecordedCase judge_case(const RecordedRule& rule, const std::string& kernel, const Variants& variants,
                        const std::string& variant, const Policy& policy) {
  const Rounds &base = variants.at("base"), &head = variants.at(variant);
  RecordedCase out{.rule = rule.name, .kernel = kernel, .variant = variant, .ratio = measured_ratio(base, head)};
  for (std::size_t start = 0; start < head.size(); ++start) {
    const Outcome outcome = rule.run({base, variants.at("aa"), head, start, policy});
    out.trials += 1;
    out.slower += outcome.verdict == Verdict::regressed ? 1 : 0;
    out.faster += outcome.verdict == Verdict::improved ? 1 : 0;
    out.undecided += outcome.verdict == Verdict::undecided || outcome.verdict == Verdict::suspected ? 1 : 0;
    out.processes += outcome.processes;
  }
  out.processes /= out.trials;
  return out;
}

}  // namespace

std::vector<RecordedCase> judge_recorded(const std::vector<RecordedProcess>& processes, const Policy& policy) {
  std::map<std::string, Variants> kernels;
  for (const RecordedProcess& process : processes)
    kernels[process.kernel][process.variant][process.round] = &process.log_times;
  std::vector<RecordedCase> out;
  for (const RecordedRule& rule : kRecordedRules)
    for (const auto& [kernel, variants] : kernels) {
      if (!is_whole(variants)) continue;
      for (const auto& variant : variants)
        if (variant.first != "base") out.push_back(judge_case(rule, kernel, variants, variant.first, policy));
    }
  return out;
}

std::vector<RecordedScore> score_recorded(const std::vector<RecordedCase>& cases, const Policy& policy) {
  std::vector<RecordedScore> out;
  int trials = 0;
  for (const RecordedCase& one : cases) {
    if (out.empty() || out.back().rule != one.rule) {
      out.push_back({.rule = one.rule});
      trials = 0;
    }
    RecordedScore& score = out.back();
    const double shift = std::abs(std::log(one.ratio));
    if (shift <= std::log1p(policy.tolerate)) {
      score.same += one.trials;
      score.false_alarms += one.slower + one.faster;
    } else if (shift >= std::log1p(policy.catch_limit)) {
      score.moved += one.trials;
      score.caught += one.ratio > 1 ? one.slower : one.faster;
    } else {
      score.between += one.trials;
      score.between_alarms += one.ratio > 1 ? one.slower : one.faster;
    }
    score.undecided += one.undecided;
    score.processes = (score.processes * trials + one.processes * one.trials) / (trials + one.trials);
    trials += one.trials;
  }
  return out;
}

}  // namespace kernelgate::simulation
