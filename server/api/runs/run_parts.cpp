// SPDX-License-Identifier: Apache-2.0
// What a run consists of: comparisons, processes with their samples, check cases, logs.
#include "core/wire/run_parts.hpp"

#include <algorithm>
#include <climits>
#include <set>

#include "core/decision/explain/roofline.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "service/runs/queries.hpp"

namespace kernelgate::api {
namespace {

// Comparisons and checks are paged by position: `before` is the first position of this page.
struct Slice {
  int from = 0;
  int limit = limits::kPageMax;
};

Result<Slice> slice_of(const http::Request& request) {
  const auto from = request.query_number("before", 0, 0, 1000000000);
  if (!from) return pass_on(from);
  const auto limit = request.query_number("limit", limits::kPageMax, 1, limits::kPageMax);
  if (!limit) return pass_on(limit);
  return Slice{.from = static_cast<int>(*from), .limit = static_cast<int>(*limit)};
}

std::optional<std::string> after(const Slice& slice, std::size_t rows) {
  if (rows < static_cast<std::size_t>(slice.limit)) return std::nullopt;
  return std::to_string(slice.from + slice.limit);
}

wire::RunCeilings under_roofs(std::optional<Ceilings> ceilings, const std::vector<Comparison>& comparisons) {
  const Ceilings rates = ceilings.value_or(Ceilings{});
  wire::RunCeilings out{.ceilings = std::move(ceilings)};
  std::set<std::string> roofs;
  for (const Comparison& one : comparisons) {
    if (!one.roof || !(one.roof->fraction > 0)) continue;
    const RoofPosition& at = *one.roof;
    const auto roof = roof_rate(rates, at.roof, at.intensity);
    out.points.push_back({.suite = one.suite,
                          .benchmark = one.benchmark,
                          .verdict = one.verdict,
                          .intensity = at.intensity,
                          .fraction = at.fraction,
                          .roof = at.roof,
                          .rate = roof ? std::optional(*roof * at.fraction) : std::nullopt,
                          .roof_rate = roof});
    roofs.insert(at.roof);
  }
  for (const std::string& roof : roofs)
    out.roofs.push_back({.roof = roof, .is_memory = is_memory_roof(roof), .rate = roof_rate(rates, roof, 1)});
  std::stable_partition(out.roofs.begin(), out.roofs.end(), [](const wire::Roof& one) { return one.roof == "dram"; });
  return out;
}

}  // namespace

Result<http::Answer> get_comparisons(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto slice = slice_of(request);
  if (!slice) return pass_on(slice);
  auto rows = service::comparisons_of(context.store, *id, slice->from, slice->limit);
  if (!rows) return pass_on(rows);
  const auto next = after(*slice, rows->size());
  return json(200, wire::encode(wire::ComparisonPage{.comparisons = std::move(*rows), .next = next}));
}

Result<http::Answer> get_ceilings(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  auto found = service::ceilings_of(context.store, *id);
  if (!found) return pass_on(found);
  const auto rows = service::comparisons_of(context.store, *id, 0, INT_MAX);
  if (!rows) return pass_on(rows);
  return json(200, wire::encode(under_roofs(std::move(*found), *rows)));
}

Result<http::Answer> get_checks(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto slice = slice_of(request);
  if (!slice) return pass_on(slice);
  auto rows = service::checks_of(context.store, *id, slice->from, slice->limit);
  if (!rows) return pass_on(rows);
  const auto next = after(*slice, rows->size());
  return json(200, wire::encode(wire::CheckPage{.checks = std::move(*rows), .next = next}));
}

Result<http::Answer> get_processes(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const service::ProcessFilter filter{.suite = std::string(request.query_value("suite").value_or("")),
                                      .benchmark = std::string(request.query_value("benchmark").value_or("")),
                                      .with_superseded = request.query_value("superseded") == "true"};
  auto rows = service::processes_of(context.store, *id, filter, *page);
  if (!rows) return pass_on(rows);
  wire::ProcessPage out;
  out.next = next_page(*rows, *page, [](const service::StoredProcess& last) { return last.row; });
  for (service::StoredProcess& stored : *rows)
    out.processes.push_back({.generation = stored.generation,
                             .superseded = stored.superseded,
                             .stored_at = stored.stored_at,
                             .process = std::move(stored.process)});
  return json(200, wire::encode(out));
}

Result<http::Answer> get_logs(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto rows = service::logs_of(context.store, *id);
  if (!rows) return pass_on(rows);
  wire::LogPage out;
  for (const service::LogInfo& log : *rows)
    out.logs.push_back(
        {.name = log.name, .bytes = log.size, .original_bytes = log.original, .stored_at = log.stored_at});
  return json(200, wire::encode(out));
}

// Build output is foreign text: plain, never to be taken for a page.
Result<http::Answer> get_log(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  auto text = service::log_of(context.store, *id, request.parameter("name"));
  if (!text) return pass_on(text);
  return http::Response{
      .status = 200, .content_type = "text/plain; charset=utf-8", .body = std::move(*text), .headers = {}};
}

}  // namespace kernelgate::api
