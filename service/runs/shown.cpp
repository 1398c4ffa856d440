// SPDX-License-Identifier: Apache-2.0
#include "service/runs/shown.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

#include "core/decision/evidence/pairs.hpp"
#include "core/stats/histogram.hpp"
#include "core/units/limits.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/processes.hpp"

namespace kernelgate::service {
namespace {

std::optional<wire::SampleHistogram> histogram_of(const Comparison& one, std::span<const Process> processes) {
  std::vector<double> base, head;
  for (const Process& process : processes) {
    if (process.round != one.round) continue;
    std::vector<double>& side = process.side == Side::base ? base : head;
    for (const Series& series : process.series)
      if (series.benchmark == one.benchmark)
        side.insert(side.end(), series.samples_ns.begin(), series.samples_ns.end());
  }
  auto found = stats::histogram_of(base, head);
  if (!found) return std::nullopt;
  const auto at = [&](const std::optional<double>& ns) { return ns ? std::optional(found->place_of(*ns)) : ns; };
  wire::SampleHistogram out{.low_ns = found->low,
                            .high_ns = found->high,
                            .has_above = found->has_above,
                            .is_log = found->is_log,
                            .base = {},
                            .head = {},
                            .base_median_at = at(one.base_median_ns),
                            .head_median_at = at(one.head_median_ns)};
  out.base = std::move(found->base);
  out.head = std::move(found->head);
  return out;
}

Result<MeasuredRun> measured(db::Connection& connection, RunId id) {
  auto run = db::get_run(connection, id);
  if (!run) return pass_on(run);
  const RunId judged = run->reused_from.value_or(id);
  return MeasuredRun{.run = std::move(*run), .comparisons = db::list_comparisons(connection, judged, 0, INT_MAX)};
}

}  // namespace

Result<wire::PairFigures> pair_figures(Store store, RunId id, std::string_view suite, std::string_view benchmark) {
  return store.read([&](db::Connection& connection) -> Result<wire::PairFigures> {
    const auto judged = measured(connection, id);
    if (!judged) return pass_on(judged);
    if (suite.empty() || benchmark.empty())
      return fail(Errc::invalid, "suite and benchmark are needed", "query", "give both");
    const std::vector<Comparison>& all = judged->comparisons;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Comparison& one) {
      return one.suite == suite && one.benchmark == benchmark;
    });
    if (found == all.end())
      return fail(Errc::not_found, "the run compared no such benchmark", "query parameters suite and benchmark",
                  "/api/v1/runs/{id}/comparisons lists them");
    const db::ProcessFilter filter{.suite = found->suite, .benchmark = found->benchmark, .with_superseded = false};
    const RunId measured_in = judged->run.reused_from.value_or(id);
    std::vector<Process> processes;
    for (db::StoredProcess& stored : db::list_processes(connection, measured_in, filter, {.limit = limits::kPageMax}))
      processes.push_back(std::move(stored.process));
    wire::PairFigures out;
    const PairTable table(processes);
    for (const PairTimes& pair : table.of(found->benchmark, found->round))
      out.pairs.push_back({.pair = pair.pair,
                           .ratio = std::exp(pair.difference()),
                           .base_median_ns = std::exp(pair.base),
                           .head_median_ns = std::exp(pair.head),
                           .head_first = pair.head_first});
    out.histogram = histogram_of(*found, processes);
    return out;
  });
}

Result<std::pair<MeasuredRun, MeasuredRun>> measured_runs(Store store, RunId base, RunId head) {
  return store.read([&](db::Connection& connection) -> Result<std::pair<MeasuredRun, MeasuredRun>> {
    auto one = measured(connection, base);
    if (!one) return pass_on(one);
    auto other = measured(connection, head);
    if (!other) return pass_on(other);
    return std::pair(std::move(*one), std::move(*other));
  });
}

}  // namespace kernelgate::service
