// SPDX-License-Identifier: Apache-2.0
// /runs/{id}/pairs and /compare: figures that pages draw as they are.
#include "server/api/runs/shown.hpp"

#include <algorithm>

#include "core/decision/explain/compare_runs.hpp"
#include "core/decision/explain/headline.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/shown.hpp"
#include "server/api/endpoints.hpp"
#include "service/runs/shown.hpp"

namespace kernelgate::api {
namespace {

ComparedRun side_of(const service::MeasuredRun& side) {
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

wire::ComparedRuns compared(const service::MeasuredRun& base, const service::MeasuredRun& head) {
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
  const auto pairs = service::pair_figures(context.store, *id, request.query_value("suite").value_or(""),
                                           request.query_value("benchmark").value_or(""));
  if (!pairs) return pass_on(pairs);
  return json(200, wire::encode(*pairs));
}

Result<http::Answer> get_compared_runs(Context& context, const http::Request& request) {
  const auto base = request.query_number("base", 0, 0, INT64_MAX), head = request.query_number("head", 0, 0, INT64_MAX);
  if (!base) return pass_on(base);
  if (!head) return pass_on(head);
  const auto found = service::measured_runs(context.store, RunId{*base}, RunId{*head});
  if (!found) return pass_on(found);
  return json(200, wire::encode(compared(found->first, found->second)));
}

}  // namespace kernelgate::api
