// SPDX-License-Identifier: Apache-2.0
// /runs/{id}/pairs and /compare: figures that pages draw as they are.
#include "server/api/runs/shown.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

#include "core/decision/evidence/pairs.hpp"
#include "core/decision/explain/compare_runs.hpp"
#include "core/decision/explain/headline.hpp"
#include "core/stats/histogram.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/shown.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/processes.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {
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
                            .base_median_at = at(one.base_median_ns),
                            .head_median_at = at(one.head_median_ns)};
  out.base = std::move(found->base);
  out.head = std::move(found->head);
  return out;
}

Result<wire::PairFigures> pairs_of(db::Connection& connection, RunId id, const http::Request& request) {
  const auto run = db::get_run(connection, id);
  if (!run) return pass_on(run);
  const auto suite = request.query_value("suite"), benchmark = request.query_value("benchmark");
  if (!suite || !benchmark) return fail(Errc::invalid, "suite and benchmark are needed", "query", "give both");
  const RunId judged = run->reused_from.value_or(id);
  const std::vector<Comparison> all = db::list_comparisons(connection, judged, 0, INT_MAX);
  const auto found = std::find_if(all.begin(), all.end(), [&](const Comparison& one) {
    return one.suite == *suite && one.benchmark == *benchmark;
  });
  if (found == all.end())
    return fail(Errc::not_found, "the run compared no such benchmark", "query parameters suite and benchmark",
                "/api/v1/runs/{id}/comparisons lists them");
  const db::ProcessFilter filter{.suite = found->suite, .benchmark = found->benchmark, .with_superseded = false};
  std::vector<Process> processes;
  for (db::StoredProcess& stored : db::list_processes(connection, judged, filter, db::Page{.limit = limits::kPageMax}))
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
}

struct Measured {
  db::Run run;
  std::vector<Comparison> comparisons;
};

Result<Measured> measured(db::Connection& connection, RunId id) {
  auto run = db::get_run(connection, id);
  if (!run) return pass_on(run);
  const RunId judged = run->reused_from.value_or(id);
  return Measured{.run = std::move(*run), .comparisons = db::list_comparisons(connection, judged, 0, INT_MAX)};
}

ComparedRun side_of(const Measured& side) {
  return {.commit = side.run.commit,
          .base_commit = side.run.base_commit,
          .testbed = side.run.testbed,
          .epoch = side.run.epoch ? side.run.epoch->value : 0,
          .comparisons = side.comparisons};
}

wire::ComparedBenchmark to_wire(const CrossComparison& one) {
  return {.suite = one.suite,
          .benchmark = one.benchmark,
          .pairing = one.pairing,
          .verdict = one.verdict,
          .ratio = one.ratio,
          .ratio_low = one.ratio_low,
          .ratio_high = one.ratio_high,
          .base_median_ns = one.base_median_ns,
          .head_median_ns = one.head_median_ns,
          .tolerate = one.tolerate,
          .catch_limit = one.catch_limit};
}

std::vector<wire::VerdictCount> in_reading_order(std::span<const Verdict> verdicts) {
  std::vector<wire::VerdictCount> out;
  for (const Verdict verdict : kReadingOrder)
    if (const auto count = std::count(verdicts.begin(), verdicts.end(), verdict); count > 0)
      out.push_back({.verdict = verdict, .count = static_cast<int>(count), .failure = is_failure(verdict)});
  return out;
}

wire::ComparedRuns compared(const Measured& base, const Measured& head) {
  const ComparedRun one = side_of(base), other = side_of(head);
  wire::ComparedRuns out{
      .base = base.run.id.value, .head = head.run.id.value, .pairing = pairing_of(one, other), .benchmarks = {}};
  std::vector<Verdict> verdicts;
  for (const CrossComparison& row : compare_runs(one, other)) {
    if (row.verdict) verdicts.push_back(*row.verdict);
    out.benchmarks.push_back(to_wire(row));
  }
  out.verdicts = in_reading_order(verdicts);
  return out;
}

}  // namespace

std::vector<wire::VerdictCount> count_verdicts(std::span<const Comparison> comparisons) {
  std::vector<Verdict> verdicts;
  for (const Comparison& one : comparisons) verdicts.push_back(one.verdict);
  return in_reading_order(verdicts);
}

void add_shown(wire::Run& run, std::string_view policy) {
  run.headline = headline({.state = run.state,
                           .conclusion = run.conclusion,
                           .reason = run.reason,
                           .summary = run.summary,
                           .progress = run.progress},
                          run.comparisons);
  run.verdicts = count_verdicts(run.comparisons);
  const wire::PolicyBand band{.tolerate = figure_of(policy, "tolerate"), .catch_limit = figure_of(policy, "catch")};
  if (band.catch_limit > 0) run.band = band;
}

Result<http::Answer> get_pairs(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto pairs =
      context.database.read([&](db::Connection& connection) { return pairs_of(connection, *id, request); });
  if (!pairs) return pass_on(pairs);
  return json(200, wire::encode(*pairs));
}

Result<http::Answer> get_compared_runs(Context& context, const http::Request& request) {
  const auto base = request.query_number("base", 0, 0, INT64_MAX), head = request.query_number("head", 0, 0, INT64_MAX);
  if (!base) return pass_on(base);
  if (!head) return pass_on(head);
  const auto found = context.database.read([&](db::Connection& connection) -> Result<wire::ComparedRuns> {
    const auto one = measured(connection, RunId{*base});
    if (!one) return pass_on(one);
    const auto other = measured(connection, RunId{*head});
    if (!other) return pass_on(other);
    return compared(*one, *other);
  });
  if (!found) return pass_on(found);
  return json(200, wire::encode(*found));
}

}  // namespace kernelgate::api
