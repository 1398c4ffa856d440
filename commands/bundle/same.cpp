// SPDX-License-Identifier: Apache-2.0
#include "commands/bundle/same.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace kernelgate::bundle {
namespace {

constexpr std::size_t kLinesShown = 100;

class Differ {
 public:
  void in(std::string place) { place_ = std::move(place); }

  void words(std::string_view what, std::string_view stored, std::string_view replayed) {
    if (stored != replayed) say(fmt::format("{} is {}, was {}", what, replayed, stored));
  }
  void count(std::string_view what, std::int64_t stored, std::int64_t replayed) {
    if (stored != replayed) say(fmt::format("{} is {}, was {}", what, replayed, stored));
  }
  void figure(std::string_view what, const std::optional<double>& stored, const std::optional<double>& replayed) {
    if (stored.has_value() != replayed.has_value())
      say(fmt::format("{} {}", what, stored ? "is gone" : "is new"));
    else if (stored && !same_figure(*stored, *replayed))
      say(fmt::format("{} is {:.15g}, was {:.15g}", what, *replayed, *stored));
  }
  void say(const std::string& text) {
    if (lines.size() < kLinesShown) lines.push_back(place_.empty() ? text : place_ + ": " + text);
  }

  std::vector<std::string> lines;

 private:
  std::string place_;
};

void compare_looks(Differ& differ, const std::vector<Look>& stored, const std::vector<Look>& replayed) {
  differ.count("the number of looks", std::ssize(stored), std::ssize(replayed));
  for (std::size_t i = 0; i < std::min(stored.size(), replayed.size()); ++i) {
    const std::string name = fmt::format("look {}", i + 1);
    differ.count(name + " pairs", stored[i].pairs, replayed[i].pairs);
    differ.words(name + " verdict", to_string(stored[i].verdict), to_string(replayed[i].verdict));
    differ.count(name + " used_stored", stored[i].used_stored, replayed[i].used_stored);
    differ.figure(name + " mean", stored[i].mean, replayed[i].mean);
    differ.figure(name + " se", stored[i].se, replayed[i].se);
    differ.figure(name + " degrees", stored[i].degrees, replayed[i].degrees);
  }
}

void compare_one(Differ& differ, const Comparison& stored, const Comparison& replayed) {
  differ.words("verdict", to_string(stored.verdict), to_string(replayed.verdict));
  differ.words("severity", to_string(stored.severity), to_string(replayed.severity));
  differ.words("fingerprint", stored.fingerprint, replayed.fingerprint);
  differ.words("against", to_string(stored.against), to_string(replayed.against));
  differ.count("round", stored.round, replayed.round);
  differ.count("pairs", stored.pairs, replayed.pairs);
  differ.count("degrees", stored.degrees, replayed.degrees);
  using Figure = std::optional<double> Comparison::*;
  constexpr std::pair<std::string_view, Figure> kFigures[] = {
      {"ratio", &Comparison::ratio},
      {"ratio_low", &Comparison::ratio_low},
      {"ratio_high", &Comparison::ratio_high},
      {"hl_ratio", &Comparison::hl_ratio},
      {"hl_low", &Comparison::hl_low},
      {"hl_high", &Comparison::hl_high},
      {"cliffs_delta", &Comparison::cliffs_delta},
      {"mwu_p", &Comparison::mwu_p},
      {"q_value", &Comparison::q_value},
      {"minimum_detectable", &Comparison::minimum_detectable},
      {"pair_sd", &Comparison::pair_sd},
      {"base_median_ns", &Comparison::base_median_ns},
      {"head_median_ns", &Comparison::head_median_ns},
      {"error_factor", &Comparison::error_factor},
  };
  for (const auto& [name, figure] : kFigures) differ.figure(name, stored.*figure, replayed.*figure);
  differ.figure("tolerate", stored.tolerate, replayed.tolerate);
  differ.figure("catch_limit", stored.catch_limit, replayed.catch_limit);
  differ.figure("gpu_s", stored.gpu_s, replayed.gpu_s);
  differ.figure("sum_squares", stored.sum_squares, replayed.sum_squares);
  compare_looks(differ, stored.looks, replayed.looks);
}

void compare_workloads(Differ& differ, const std::vector<WorkloadResult>& stored,
                       const std::vector<WorkloadResult>& replayed) {
  differ.in("the workloads");
  differ.count("their number", static_cast<int>(stored.size()), static_cast<int>(replayed.size()));
  for (std::size_t i = 0; i < std::min(stored.size(), replayed.size()); ++i) {
    differ.in("workload " + stored[i].name);
    differ.words("name", stored[i].name, replayed[i].name);
    differ.words("verdict", to_string(stored[i].verdict), to_string(replayed[i].verdict));
    differ.count("benchmarks", stored[i].benchmarks, replayed[i].benchmarks);
    differ.count("timed", stored[i].timed, replayed[i].timed);
    differ.figure("ratio", stored[i].ratio, replayed[i].ratio);
    differ.figure("low", stored[i].low, replayed[i].low);
    differ.figure("high", stored[i].high, replayed[i].high);
  }
}

void compare_regions(Differ& differ, const std::vector<RegionResult>& stored,
                     const std::vector<RegionResult>& replayed) {
  differ.in("the regions");
  differ.count("their number", static_cast<int>(stored.size()), static_cast<int>(replayed.size()));
  for (std::size_t i = 0; i < std::min(stored.size(), replayed.size()); ++i) {
    differ.in("region " + stored[i].text);
    differ.words("text", stored[i].text, replayed[i].text);
    differ.words("verdict", to_string(stored[i].verdict), to_string(replayed[i].verdict));
    differ.count("members", stored[i].members, replayed[i].members);
    differ.count("moved", stored[i].moved, replayed[i].moved);
    differ.figure("median_ratio", stored[i].median_ratio, replayed[i].median_ratio);
  }
}

std::string name_of(const Comparison& comparison) { return comparison.suite + ": " + comparison.benchmark; }

}  // namespace

bool same_figure(double a, double b) {
  return std::abs(a - b) <= std::max(1e-12 * std::max(std::abs(a), std::abs(b)), 1e-13);
}

std::vector<std::string> differences(const RunDecision& stored, const RunDecision& replayed) {
  Differ differ;
  differ.words("the conclusion", to_string(stored.conclusion), to_string(replayed.conclusion));
  differ.figure("expected_false_alarms", stored.expected_false_alarms, replayed.expected_false_alarms);
  std::map<std::string, const Comparison*> left;
  for (const Comparison& comparison : replayed.comparisons) left.emplace(name_of(comparison), &comparison);
  for (const Comparison& comparison : stored.comparisons) {
    differ.in(name_of(comparison));
    const auto other = left.find(name_of(comparison));
    if (other == left.end()) {
      differ.say("is not judged");
      continue;
    }
    compare_one(differ, comparison, *other->second);
    left.erase(other);
  }
  for (const auto& [name, comparison] : left) {
    differ.in(name);
    differ.say("was not judged");
  }
  compare_workloads(differ, stored.workloads, replayed.workloads);
  compare_regions(differ, stored.regions, replayed.regions);
  return std::move(differ.lines);
}

}  // namespace kernelgate::bundle
