// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/device_clock.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace kernelgate {
namespace {

constexpr double kInLoop = 0.5;      // launches an iteration from which on a kernel belongs to the timed loop
constexpr double kTriedMost = 1.15;  // a suite that looks for its number of iterations launches so many times as many
constexpr double kAlike = 1.02;      // of the kernels' launches, head over base: the loops are the same

using Identity = std::tuple<std::string, std::string, std::string>;  // kernel, grid, block

// The processes of one benchmark that saw a kernel, by side.
struct Seen {
  const Process* process;
  const KernelTime* time;
};
using Sides = std::array<std::vector<Seen>, 2>;

std::size_t place_of_side(Side side) { return side == Side::base ? 0 : 1; }

double mean_of(const std::vector<Seen>& seen, double KernelTime::*member) {
  double sum = 0;
  for (const Seen& each : seen) sum += each.time->*member;
  return sum / static_cast<double>(seen.size());
}

// Of a process's mean: the launches' own spread, no less than what a step leaves, over their number.
double variance_of(const KernelTime& time) {
  const double step = kDeviceStepNs * kDeviceStepNs / 12;
  return std::max(time.sd_ns * time.sd_ns, step) / std::max(1.0, time.samples) / (time.mean_ns * time.mean_ns);
}

// Loops with the same kernels in the same proportion, and about as often: what differs is how often the suite tried.
bool same_loops(const std::vector<KernelOfBoth>& kernels) {
  double least = 0, most = 0;
  for (const KernelOfBoth& kernel : kernels) {
    if (!kernel.launches[0] || !kernel.launches[1]) return false;
    const double ratio = *kernel.launches[1] / *kernel.launches[0];
    least = least == 0 ? ratio : std::min(least, ratio);
    most = std::max(most, ratio);
  }
  return most < kAlike * least && most < kTriedMost && least > 1 / kTriedMost;
}

// The factor by which a side's launches are too many: the least that makes the rarest kernel's a whole number.
double tried_factor(const std::vector<KernelOfBoth>& kernels, std::size_t side) {
  double rarest = 0;
  for (const KernelOfBoth& kernel : kernels)
    if (kernel.launches[side]) rarest = rarest == 0 ? *kernel.launches[side] : std::min(rarest, *kernel.launches[side]);
  const double whole = std::floor(rarest + 0.001);
  return whole >= 1 && rarest / whole < kTriedMost ? std::max(1.0, rarest / whole) : 1;
}

double nearly_whole(double launches) {
  const double whole = std::round(launches);
  return std::abs(launches - whole) < 0.05 ? whole : launches;
}

void correct_launches(std::vector<KernelOfBoth>& kernels) {
  const bool same = same_loops(kernels);
  const std::array factors{tried_factor(kernels, 0), tried_factor(kernels, 1)};
  for (KernelOfBoth& kernel : kernels) {
    for (std::size_t side : {0U, 1U})
      if (kernel.launches[side]) kernel.launches[side] = nearly_whole(*kernel.launches[side] / factors[side]);
    if (same) kernel.launches[1] = kernel.launches[0];
  }
}

// Kernels of one side alone that have the same name are one whose launch shape changed, where there is one a side.
void match_by_name(std::map<Identity, Sides>& kernels) {
  std::map<std::string, std::array<std::vector<Identity>, 2>> alone;
  for (const auto& [identity, sides] : kernels)
    if (sides[0].empty() != sides[1].empty())
      alone[std::get<0>(identity)][sides[0].empty() ? 1 : 0].push_back(identity);
  for (const auto& [name, by_side] : alone) {
    if (by_side[0].size() != 1 || by_side[1].size() != 1) continue;
    kernels[by_side[1].front()][0] = std::move(kernels[by_side[0].front()][0]);
    kernels.erase(by_side[0].front());
  }
}

// What the table of pairs reads: a process with one series, whose only sample is the figure.
Process with_figure(const Process& process, double figure_ns) {
  Process out;
  out.side = process.side;
  out.pair = process.pair;
  out.attempt = process.attempt;
  out.order = process.order;
  out.series.push_back({.benchmark = "", .samples_ns = {figure_ns}, .error = {}, .counters = {}});
  return out;
}

std::vector<PairTimes> pairs_of_figures(const std::vector<Process>& figures) { return PairTable(figures).of("", 0); }

std::vector<KernelOfBoth> kernels_of(const std::map<Identity, Sides>& found) {
  std::vector<KernelOfBoth> out;
  for (const auto& [identity, sides] : found) {
    KernelOfBoth kernel;
    std::tie(kernel.kernel, kernel.grid, kernel.block) = identity;
    std::vector<Process> figures;
    double often = 0;
    for (std::size_t side : {0U, 1U}) {
      if (sides[side].empty()) continue;
      kernel.launches[side] = mean_of(sides[side], &KernelTime::per_iteration);
      kernel.mean_ns[side] = mean_of(sides[side], &KernelTime::mean_ns);
      often = std::max(often, *kernel.launches[side]);
      double variance = 0;
      for (const Seen& seen : sides[side]) {
        figures.push_back(with_figure(*seen.process, seen.time->mean_ns));
        variance = std::max(variance, variance_of(*seen.time));
      }
      kernel.floor += variance;
    }
    if (often < kInLoop) continue;
    kernel.pairs = pairs_of_figures(figures);
    out.push_back(std::move(kernel));
  }
  return out;
}

DeviceBenchmark benchmark_of(const std::vector<const Process*>& processes) {
  DeviceBenchmark out;
  std::map<Identity, Sides> found;
  for (const Process* process : processes) {
    if (!process->device->trouble.empty()) out.trouble = process->device->trouble;
    for (const KernelTime& time : process->device->kernels)
      if (std::isfinite(time.mean_ns) && time.mean_ns > 0)
        found[{time.kernel, time.grid, time.block}][place_of_side(process->side)].push_back({process, &time});
  }
  match_by_name(found);
  out.kernels = kernels_of(found);
  correct_launches(out.kernels);
  std::map<const Process*, double> sums;
  std::array<double, 2> totals{}, variances{};
  for (const KernelOfBoth& kernel : out.kernels) {
    const Sides& sides = found.at({kernel.kernel, kernel.grid, kernel.block});
    for (std::size_t side : {0U, 1U}) {
      for (const Seen& seen : sides[side]) sums[seen.process] += *kernel.launches[side] * seen.time->mean_ns;
      if (sides[side].empty()) continue;
      const double time = *kernel.launches[side] * *kernel.mean_ns[side];
      totals[side] += time;
      variances[side] += time * time * variance_of(*sides[side].front().time);
    }
  }
  std::vector<Process> figures;
  for (const auto& [process, sum] : sums) figures.push_back(with_figure(*process, sum));
  out.pairs = pairs_of_figures(figures);
  for (std::size_t side : {0U, 1U})
    if (totals[side] > 0) out.floor += variances[side] / (totals[side] * totals[side]);
  if (out.trouble.empty() && sums.size() < processes.size()) out.trouble = "it launches no kernel in its loop";
  return out;
}

}  // namespace

DeviceTable::DeviceTable(std::span<const Process> processes) {
  std::map<std::string, std::vector<const Process*>> by_benchmark;
  for (const Process& process : processes)
    if (process.round == kDeviceRound && process.device) by_benchmark[process.device->benchmark].push_back(&process);
  for (const auto& [benchmark, own] : by_benchmark) benchmarks_[benchmark] = benchmark_of(own);
}

const DeviceBenchmark& DeviceTable::of(std::string_view benchmark) const {
  static const DeviceBenchmark kNone;
  const auto found = benchmarks_.find(benchmark);
  return found == benchmarks_.end() ? kNone : found->second;
}

}  // namespace kernelgate
