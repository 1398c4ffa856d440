// SPDX-License-Identifier: Apache-2.0
#include "core/decision/device_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/decision/evidence/kernel_names.hpp"
#include "core/decision/explain/reason.hpp"
#include "core/decision/rule/figures.hpp"
#include "core/units/limits.hpp"

namespace kernelgate {
namespace {

// The figures of pairs by the device's clock.
Comparison figures_of(std::span<const PairTimes> pairs, const Sequence& sequence, double floor, Quantiles& quantiles) {
  Comparison out;
  out.verdict = sequence.verdict;
  out.severity = sequence.severity;
  out.pairs = sequence.pairs;
  out.looks = sequence.looks;
  fill_figures(out, pairs, {.clock = floor}, quantiles);
  return out;
}

// Two pairs far apart have no upper bound: JSON knows no infinity.
std::optional<double> finite(double figure) { return std::isfinite(figure) ? std::optional(figure) : std::nullopt; }

double time_of(const KernelOfBoth& kernel, std::size_t side) {
  return kernel.launches[side] && kernel.mean_ns[side] ? *kernel.launches[side] * *kernel.mean_ns[side] : 0;
}

double moved_by(const KernelOfBoth& kernel) { return std::abs(time_of(kernel, 1) - time_of(kernel, 0)); }

// By all pairs that the sum's verdict rests on, looked at once: it explains and decides nothing.
KernelComparison kernel_comparison(const KernelOfBoth& kernel, int pairs, const Band& band, Quantiles& quantiles) {
  KernelComparison out;
  out.full_name = kernel.kernel;
  out.grid = kernel.grid;
  out.block = kernel.block;
  out.base_launches = kernel.launches[0].value_or(0);
  out.head_launches = kernel.launches[1].value_or(0);
  out.base_ns = kernel.mean_ns[0];
  out.head_ns = kernel.mean_ns[1];
  if (!kernel.mean_ns[0]) out.verdict = Verdict::added;
  if (!kernel.mean_ns[1]) out.verdict = Verdict::missing;
  const std::size_t count = std::min(kernel.pairs.size(), static_cast<std::size_t>(pairs));
  if (count < 2) return out;
  std::vector<double> d;
  for (const PairTimes& pair : std::span(kernel.pairs).first(count)) d.push_back(pair.difference());
  const Judged judged = judge(d, {.clock = kernel.floor}, band, quantiles);
  out.verdict = judged.look.verdict;
  out.ratio = std::exp(judged.look.mean);
  out.ratio_low = std::exp(judged.look.mean - judged.half_width);
  out.ratio_high = finite(std::exp(judged.look.mean + judged.half_width));
  return out;
}

std::vector<KernelComparison> kernel_comparisons(const DeviceBenchmark& own, int pairs, const Band& band,
                                                 Quantiles& quantiles) {
  std::vector<KernelOfBoth> kernels = own.kernels;
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const KernelOfBoth& a, const KernelOfBoth& b) { return moved_by(a) > moved_by(b); });
  if (kernels.size() > limits::kDeviceKernelsShownMax) kernels.resize(limits::kDeviceKernelsShownMax);
  std::vector<std::string> names;
  for (const KernelOfBoth& kernel : kernels) names.push_back(kernel.kernel);
  const std::vector<std::string> short_names = short_kernel_names(names);
  std::vector<KernelComparison> out;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    out.push_back(kernel_comparison(kernels[i], pairs, band, quantiles));
    out.back().kernel = short_names[i];
  }
  return out;
}

DeviceComparison device_comparison(SuiteView& view, const std::string& benchmark) {
  const DeviceBenchmark& own = view.device(benchmark);
  const Policy policy = view.policy_of(benchmark);
  const Sequence sequence = view.device_sequence(benchmark);
  const Comparison figures = figures_of(own.pairs, sequence, own.floor, view.quantiles);
  DeviceComparison out;
  out.verdict = sequence.verdict;
  if (out.verdict == Verdict::unchanged && is_undetectable(figures, policy, 0)) out.verdict = Verdict::undecided;
  out.severity = sequence.severity;
  out.pairs = sequence.pairs;
  out.looks = static_cast<int>(sequence.looks.size());
  out.ratio = figures.ratio;
  out.ratio_low = figures.ratio_low;
  if (figures.ratio_high) out.ratio_high = finite(*figures.ratio_high);
  out.base_ns = figures.base_median_ns;
  out.head_ns = figures.head_median_ns;
  Comparison shown = figures;
  shown.verdict = out.verdict;
  Policy by_pairs = policy;
  by_pairs.rule = Rule::pairs;
  out.reason = reason_of(shown, by_pairs,
                         {.given = static_cast<int>(own.pairs.size()),
                          .finished = sequence.finished,
                          .recorded = view.suite().recorded,
                          .sign = {},
                          .calibrated = 0});
  out.kernels = kernel_comparisons(own, sequence.pairs, band_of(policy, view.timed.size()), view.quantiles);
  return out;
}

// "; it is DeviceReduceKernel, +14.4 %"
std::string culprit_text(const DeviceComparison& device) {
  if (device.kernels.empty()) return {};
  const KernelComparison& first = device.kernels.front();
  if (first.verdict == Verdict::added) return "; new kernel " + first.kernel;
  if (first.base_launches != first.head_launches && first.head_launches > 0)
    return fmt::format("; {} is launched {:.3g} times, before {:.3g}", first.kernel, first.head_launches,
                       first.base_launches);
  return first.ratio ? fmt::format("; {} {}", first.kernel, percent(*first.ratio)) : std::string();
}

std::string host_text(const Comparison& out, bool timed) {
  return timed ? fmt::format("host {}: {}", to_string(out.verdict), out.reason) : "host not timed";
}

void take_over(Comparison& out, Verdict verdict, Severity severity) {
  out.verdict = verdict;
  out.severity = severity;
  out.clock = ClockKind::device;
}

}  // namespace

void add_device_clock(SuiteView& view, Comparison& out) {
  if (view.suite().clock == ClockKind::host || out.against == Against::stored) return;
  const bool timed = out.pairs > 0 && view.judged_by_host(out.benchmark);
  if (!view.judged_by_device(out.benchmark)) {
    out.reason += "; no device times: " + view.device(out.benchmark).trouble;
    return;
  }
  DeviceComparison device = device_comparison(view, out.benchmark);
  // Undecidable is what was measured to the end of its budget.
  const bool open = out.verdict == Verdict::undecided && timed && view.sequence(out.benchmark, out.round).finished;
  const std::string says = "device: " + device.reason;
  if (device.pairs > 0 && device.verdict == out.verdict) out.clock = timed ? ClockKind::both : ClockKind::device;
  if (device.verdict == Verdict::regressed) {
    const std::string text = says + culprit_text(device) + "; " + host_text(out, timed);
    if (out.verdict == Verdict::regressed)
      out.severity = std::max(out.severity, device.severity);
    else
      take_over(out, Verdict::regressed, device.severity);
    out.reason = text;
  } else if (!timed || (open && device.verdict == Verdict::improved)) {
    out.reason = says + "; " + host_text(out, timed);
    take_over(out, device.verdict, Severity::none);
  } else if (open && device.verdict == Verdict::unchanged) {
    out.reason = fmt::format("unchanged on the device; host time too noisy to tell {:.3g} %: {}; host: {}",
                             100 * out.catch_limit, says, out.reason);
    take_over(out, Verdict::unchanged, Severity::none);
  } else {
    out.reason += "; " + says;
  }
  out.device = std::move(device);
}

}  // namespace kernelgate
