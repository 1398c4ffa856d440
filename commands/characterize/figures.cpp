// SPDX-License-Identifier: Apache-2.0
#include "commands/characterize/figures.hpp"

#include <algorithm>
#include <cmath>

#include "core/decision/evidence/pairs.hpp"
#include "core/decision/explain/roofline.hpp"
#include "core/stats/quantile_interval.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::local {
namespace {

void add_clock(BenchmarkFigures& out, const std::map<std::string, double>& counters) {
  const auto clock = counters.find("sm_mhz");
  if (clock == counters.end() || !(clock->second > 0)) return;
  out.sm_mhz_low = out.sm_mhz_low > 0 ? std::min(out.sm_mhz_low, clock->second) : clock->second;
  out.sm_mhz_high = std::max(out.sm_mhz_high, clock->second);
}

BenchmarkFigures figures_of_benchmark(const SuiteEvidence& evidence, const std::string& benchmark,
                                      const std::optional<Ceilings>& ceilings) {
  BenchmarkFigures out;
  out.benchmark = benchmark;
  std::vector<double> medians, logs, spreads;
  std::map<std::string, double> counters;
  for (const Process& process : evidence.processes)
    for (const Series& series : process.series) {
      if (series.benchmark != benchmark) continue;
      if (!is_usable(series)) {
        out.error = series.error.empty() ? "no usable samples" : series.error;
        continue;
      }
      const double median = stats::median(series.samples_ns).value();
      out.samples += static_cast<int>(series.samples_ns.size());
      medians.push_back(median);
      logs.push_back(std::log(median));
      spreads.push_back(
          (stats::quantile(series.samples_ns, .75).value() - stats::quantile(series.samples_ns, .25).value()) / median);
      counters = series.counters;
      add_clock(out, counters);
    }
  out.processes = static_cast<int>(medians.size());
  if (medians.empty()) return out;
  const auto interval = stats::quantile_interval(medians, 0.5);
  out.median_ns = stats::median(medians).value();
  if (interval) {
    out.low_ns = interval->interval.low;
    out.high_ns = interval->interval.high;
    out.coverage = interval->coverage;
  }
  out.spread_within = stats::median(spreads).value();
  out.spread_between = std::sqrt(stats::moments(logs).value().variance);
  if (!ceilings) return out;
  const Work work = work_of(benchmark, counters, out.median_ns / 1e9);
  out.roof = roof_position(work, *ceilings);
  out.impossible = why_impossible(work, *ceilings);
  return out;
}

CheckFigures figures_of_checks(const SuiteEvidence& evidence) {
  CheckFigures out;
  for (const CheckCase& check : evidence.checks) {
    ++out.cases;
    out.failed += check.passed ? 0 : 1;
    out.worst_rel_err = std::max(out.worst_rel_err, check.rel_err);
    if (!check.passed && out.text.empty()) out.text = check.name + ": " + check.text;
  }
  return out;
}

}  // namespace

SuiteFigures figures_of(const SuiteEvidence& evidence, const std::optional<Ceilings>& ceilings) {
  SuiteFigures out;
  out.suite = evidence.name;
  out.checks = figures_of_checks(evidence);
  for (const Process& process : evidence.processes) {
    ++out.processes;
    out.disturbed += process.disturbed ? 1 : 0;
    out.gpu_s += process.gpu_s;
    if (process.end != ProcessEnd::ok) out.notes.push_back("a process ended early: " + process.text);
  }
  for (const std::string& benchmark : evidence.head_benchmarks)
    out.benchmarks.push_back(figures_of_benchmark(evidence, benchmark, ceilings));
  return out;
}

}  // namespace kernelgate::local
