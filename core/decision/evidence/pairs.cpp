// SPDX-License-Identifier: Apache-2.0
#include "core/decision/evidence/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>

#include "core/decision/evidence/clock_step.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate {
namespace {

struct Figure {
  int attempt = 0;
  int order = 0;
  double log_time = 0;
};

// What both sides of one pair have of one benchmark.
struct Tries {
  std::vector<Figure> sides[2];
};

std::size_t index_of(Side side) { return side == Side::base ? 0 : 1; }

const Figure* latest(const std::vector<Figure>& figures, std::optional<int> attempt) {
  const Figure* out = nullptr;
  for (const Figure& figure : figures) {
    if (attempt && figure.attempt != *attempt) continue;
    if (!out || std::tie(figure.attempt, figure.order) >= std::tie(out->attempt, out->order)) out = &figure;
  }
  return out;
}

std::optional<PairTimes> settle(int pair, const Tries& tries) {
  std::optional<int> common;
  for (const Figure& base : tries.sides[0])
    if (latest(tries.sides[1], base.attempt)) common = std::max(common.value_or(base.attempt), base.attempt);
  const Figure* base = latest(tries.sides[0], common);
  const Figure* head = latest(tries.sides[1], common);
  if (!base || !head) return std::nullopt;
  return PairTimes{
      .pair = pair, .base = base->log_time, .head = head->log_time, .head_first = head->order < base->order};
}

}  // namespace

bool is_usable(const Series& series) {
  return series.error.empty() && !series.samples_ns.empty() &&
         std::all_of(series.samples_ns.begin(), series.samples_ns.end(),
                     [](double x) { return std::isfinite(x) && x > 0; });
}

double median_log(std::span<const double> samples_ns) {
  std::vector<double> logs;
  logs.reserve(samples_ns.size());
  for (double x : samples_ns) logs.push_back(std::log(x));
  return stats::median(logs).value();
}

// Of either side by itself: a step must not be taken from the difference of the sides.
void PairTable::find_clock_steps(std::span<const Process> processes) {
  std::map<std::string_view, std::vector<std::vector<double>>> samples[2];
  for (const Process& process : processes)
    for (const Series& series : process.series)
      if (is_usable(series)) samples[index_of(process.side)][series.benchmark].push_back(series.samples_ns);
  for (const auto& side : samples)
    for (const auto& [benchmark, all] : side) {
      const double step = clock_step_ns(all);
      if (step == 0) continue;
      Entry& entry = entries_[std::string(benchmark)];
      entry.step_ns = entry.step_ns == 0 ? step : std::min(entry.step_ns, step);
      entry.step = std::max(entry.step, entry.step_ns / std::exp(median_log(all.front())));
    }
}

PairTable::PairTable(std::span<const Process> processes) {
  find_clock_steps(processes);
  std::map<std::tuple<std::string_view, int, int>, Tries> tries;  // by benchmark, round, pair
  for (const Process& process : processes) {
    int& next = next_pair_[process.round];
    next = std::max(next, process.pair + 1);
    gpu_s_all_ += process.gpu_s;
    const std::size_t side = index_of(process.side);
    for (const Series& series : process.series) {
      Entry& entry = entries_[series.benchmark];
      entry.gpu_s += process.gpu_s / static_cast<double>(process.series.size());
      if (!series.error.empty()) entry.error[side] = series.error;
      if (!is_usable(series)) continue;
      entry.usable[side] = true;
      tries[{series.benchmark, process.round, process.pair}].sides[side].push_back(
          Figure{.attempt = process.attempt,
                 .order = process.order,
                 .log_time = entry.step_ns > 0 ? grouped_median_log(series.samples_ns, entry.step_ns)
                                               : median_log(series.samples_ns)});
    }
  }
  for (const auto& [key, both] : tries) {
    const auto& [benchmark, round, pair] = key;
    if (const std::optional<PairTimes> times = settle(pair, both))
      entries_.find(benchmark)->second.rounds[round].push_back(*times);
  }
}

const std::vector<PairTimes>& PairTable::of(std::string_view benchmark, int round) const {
  static const std::vector<PairTimes> kNone;
  const auto entry = entries_.find(benchmark);
  if (entry == entries_.end()) return kNone;
  const auto pairs = entry->second.rounds.find(round);
  return pairs == entry->second.rounds.end() ? kNone : pairs->second;
}

double PairTable::clock_step(std::string_view benchmark) const {
  const auto entry = entries_.find(benchmark);
  return entry == entries_.end() ? 0 : entry->second.step;
}

double PairTable::gpu_s(std::string_view benchmark) const {
  const auto entry = entries_.find(benchmark);
  return entry == entries_.end() ? 0 : entry->second.gpu_s;
}

std::string PairTable::own_error(std::string_view benchmark, Side side) const {
  const auto entry = entries_.find(benchmark);
  if (entry == entries_.end() || entry->second.usable[index_of(side)]) return {};
  return entry->second.error[index_of(side)];
}

int PairTable::next_pair(int round) const {
  const auto next = next_pair_.find(round);
  return next == next_pair_.end() ? 0 : next->second;
}

}  // namespace kernelgate
