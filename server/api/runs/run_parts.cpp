// SPDX-License-Identifier: Apache-2.0
// What a run consists of: comparisons, processes with their samples, check cases, logs.
#include "core/wire/codec.hpp"
#include "db/history/roofs.hpp"
#include "db/runs/checks.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/logs.hpp"
#include "db/runs/processes.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/json_text.hpp"

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

// Reads rows of a run that exists, or of the one whose verdict it reuses.
template <class Read>
auto read_of_run(Context& context, RunId id, Read read) {
  using Rows = std::invoke_result_t<Read&, db::Connection&, RunId>;
  return context.database.read([&](db::Connection& connection) -> Result<Rows> {
    const auto run = db::get_run(connection, id);
    if (!run) return pass_on(run);
    return read(connection, run->reused_from.value_or(id));
  });
}

std::string to_json(const db::StoredProcess& stored) {
  return JsonObject{}
      .add("generation", stored.generation)
      .add("superseded", stored.superseded)
      .add("stored_at", to_iso8601(stored.stored_at))
      .raw("process", wire::encode(stored.process))
      .str();
}

std::string to_json(const db::LogInfo& log) {
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
  const auto rows = read_of_run(context, *id, [&](db::Connection& connection, RunId run) {
    return db::list_comparisons(connection, run, slice->from, slice->limit);
  });
  if (!rows) return pass_on(rows);
  std::vector<std::string> values;
  for (const Comparison& comparison : *rows) values.push_back(wire::encode(comparison));
  return json(200, json_page("comparisons", values, after(*slice, rows->size())));
}

Result<http::Answer> get_ceilings(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto found =
      read_of_run(context, *id, [](db::Connection& connection, RunId run) { return db::ceilings_of(connection, run); });
  if (!found) return pass_on(found);
  return json(200, JsonObject{}.raw("ceilings", *found ? wire::encode(**found) : "null").str());
}

Result<http::Answer> get_checks(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto slice = slice_of(request);
  if (!slice) return pass_on(slice);
  const auto rows = read_of_run(context, *id, [&](db::Connection& connection, RunId run) {
    return db::list_checks(connection, run, slice->from, slice->limit);
  });
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
  const db::ProcessFilter filter{.suite = std::string(request.query_value("suite").value_or("")),
                                 .benchmark = std::string(request.query_value("benchmark").value_or("")),
                                 .with_superseded = request.query_value("superseded") == "true"};
  const auto rows = read_of_run(context, *id, [&](db::Connection& connection, RunId run) {
    return db::list_processes(connection, run, filter, *page);
  });
  if (!rows) return pass_on(rows);
  std::vector<std::string> values;
  for (const db::StoredProcess& stored : *rows) values.push_back(to_json(stored));
  const auto next = next_page(*rows, *page, [](const db::StoredProcess& last) { return last.row; });
  return json(200, json_page("processes", values, next));
}

Result<http::Answer> get_logs(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto rows =
      read_of_run(context, *id, [](db::Connection& connection, RunId run) { return db::list_logs(connection, run); });
  if (!rows) return pass_on(rows);
  std::vector<std::string> values;
  for (const db::LogInfo& log : *rows) values.push_back(to_json(log));
  return json(200, json_page("logs", values, std::nullopt));
}

// Build output is foreign text: plain, never to be taken for a page.
Result<http::Answer> get_log(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  auto text = context.database.read([&](db::Connection& connection) -> Result<std::string> {
    const auto run = db::get_run(connection, *id);
    if (!run) return pass_on(run);
    return db::get_log(connection, run->reused_from.value_or(*id), request.parameter("name"));
  });
  if (!text) return pass_on(text);
  return http::Response{
      .status = 200, .content_type = "text/plain; charset=utf-8", .body = std::move(*text), .headers = {}};
}

}  // namespace kernelgate::api
