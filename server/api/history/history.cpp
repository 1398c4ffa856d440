// SPDX-License-Identifier: Apache-2.0
// /benchmarks, /series and /history: what a chart of one benchmark over time needs, and what it means.
#include "service/history/histories.hpp"

#include <optional>
#include <utility>

#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/history/history_query.hpp"

namespace kernelgate::api {
namespace {

Result<std::string> required(const http::Request& request, std::string_view name) {
  const auto value = request.query_value(name);
  if (value && !value->empty()) return std::string(*value);
  return fail(Errc::invalid, "missing", "query parameter " + std::string(name),
              "name one; /api/v1/benchmarks lists suites and benchmarks");
}

Result<service::BenchmarkWanted> asked_of(const http::Request& request) {
  service::BenchmarkWanted out;
  for (const auto& [name, member] : {std::pair("repository", &service::BenchmarkWanted::repository),
                                     std::pair("suite", &service::BenchmarkWanted::suite),
                                     std::pair("benchmark", &service::BenchmarkWanted::benchmark)}) {
    auto value = required(request, name);
    if (!value) return pass_on(value);
    out.*member = std::move(*value);
  }
  const auto epoch = request.query_number("epoch", 0, 0, INT64_MAX);
  if (!epoch) return pass_on(epoch);
  if (*epoch > 0) out.epoch = EpochId{*epoch};
  if (const auto branch = request.query_value("branch")) out.branch = std::string(*branch);
  return out;
}

wire::SeriesPoint to_wire(const service::HistoryPoint& point) {
  return {.run = point.run,
          .commit = point.commit,
          .branch = point.branch,
          .epoch = point.epoch,
          .finished_at = point.finished_at,
          .median_ns = point.median_ns,
          .spread_ns = point.spread_ns,
          .processes = point.processes,
          .samples = point.samples,
          .verdict = point.verdict,
          .ratio = point.ratio,
          .ratio_low = point.ratio_low,
          .ratio_high = point.ratio_high};
}

}  // namespace

Result<http::Answer> get_benchmarks(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const auto name = required(request, "repository");
  if (!name) return pass_on(name);
  const auto found = service::list_benchmarks(context.store, *name, *page);
  if (!found) return pass_on(found);
  return json(200, wire::encode(*found));
}

Result<wire::BenchmarkHistory> history_asked(Context& context, const http::Request& request, int points_max) {
  const auto asked = asked_of(request);
  if (!asked) return pass_on(asked);
  const auto limit = request.query_number("limit", points_max, 1, points_max);
  if (!limit) return pass_on(limit);
  return service::benchmark_history(context.store, *asked, static_cast<int>(*limit));
}

Result<http::Answer> get_history(Context& context, const http::Request& request) {
  const auto found = history_asked(context, request, limits::kHistoryPointsMax);
  if (!found) return pass_on(found);
  return json(200, wire::encode(*found));
}

Result<http::Answer> get_history_columns(Context& context, const http::Request& request) {
  auto found = history_asked(context, request, limits::kHistoryPointsMax);
  if (!found) return pass_on(found);
  return json(200, wire::encode_columns(std::move(*found)));
}

Result<http::Answer> get_series(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const auto asked = asked_of(request);
  if (!asked) return pass_on(asked);
  const auto rows = service::list_points(context.store, *asked, *page);
  if (!rows) return pass_on(rows);
  wire::SeriesPage out;
  for (const service::HistoryPoint& point : *rows) out.points.push_back(to_wire(point));
  out.next = next_page(*rows, *page, [](const service::HistoryPoint& last) { return last.run.value; });
  return json(200, wire::encode(out));
}

}  // namespace kernelgate::api
