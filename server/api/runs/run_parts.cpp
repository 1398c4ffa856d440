// SPDX-License-Identifier: Apache-2.0
// What a run consists of: comparisons, processes with their samples, check cases, logs.
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/json_text.hpp"
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

std::string to_json(const service::StoredProcess& stored) {
  return JsonObject{}
      .add("generation", stored.generation)
      .add("superseded", stored.superseded)
      .add("stored_at", to_iso8601(stored.stored_at))
      .raw("process", wire::encode(stored.process))
      .str();
}

std::string to_json(const service::LogInfo& log) {
  return JsonObject{}
      .add("name", log.name)
      .add("bytes", log.size.value)
      .add("original_bytes", log.original.value)
      .add("stored_at", to_iso8601(log.stored_at))
      .str();
}

}  // namespace

Result<http::Answer> get_comparisons(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto slice = slice_of(request);
  if (!slice) return pass_on(slice);
  const auto rows = service::comparisons_of(context.store, *id, slice->from, slice->limit);
  if (!rows) return pass_on(rows);
  std::vector<std::string> values;
  for (const Comparison& comparison : *rows) values.push_back(wire::encode(comparison));
  return json(200, json_page("comparisons", values, after(*slice, rows->size())));
}

Result<http::Answer> get_ceilings(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto found = service::ceilings_of(context.store, *id);
  if (!found) return pass_on(found);
  return json(200, JsonObject{}.raw("ceilings", *found ? wire::encode(**found) : "null").str());
}

Result<http::Answer> get_checks(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto slice = slice_of(request);
  if (!slice) return pass_on(slice);
  const auto rows = service::checks_of(context.store, *id, slice->from, slice->limit);
  if (!rows) return pass_on(rows);
  std::vector<std::string> values;
  for (const CheckCase& check : *rows) values.push_back(wire::encode(check));
  return json(200, json_page("checks", values, after(*slice, rows->size())));
}

Result<http::Answer> get_processes(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const service::ProcessFilter filter{.suite = std::string(request.query_value("suite").value_or("")),
                                      .benchmark = std::string(request.query_value("benchmark").value_or("")),
                                      .with_superseded = request.query_value("superseded") == "true"};
  const auto rows = service::processes_of(context.store, *id, filter, *page);
  if (!rows) return pass_on(rows);
  std::vector<std::string> values;
  for (const service::StoredProcess& stored : *rows) values.push_back(to_json(stored));
  const auto next = next_page(*rows, *page, [](const service::StoredProcess& last) { return last.row; });
  return json(200, json_page("processes", values, next));
}

Result<http::Answer> get_logs(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto rows = service::logs_of(context.store, *id);
  if (!rows) return pass_on(rows);
  std::vector<std::string> values;
  for (const service::LogInfo& log : *rows) values.push_back(to_json(log));
  return json(200, json_page("logs", values, std::nullopt));
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
