// SPDX-License-Identifier: Apache-2.0
// /baselines: stored series of a commit, promoted by a logged act.
#include "db/baselines.hpp"

#include <charconv>

#include "db/repositories.hpp"
#include "server/api/bodies.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/json_text.hpp"

namespace kernelgate::api {
namespace {

std::string to_json(const db::Baseline& baseline) {
  JsonObject out;
  out.add("id", baseline.id.value)
      .add("run", baseline.run.value)
      .add("epoch", baseline.epoch.value)
      .add("name", baseline.name)
      .add("commit", baseline.commit)
      .add("who", baseline.who)
      .add("reason", baseline.reason)
      .add("promoted_at", to_iso8601(baseline.promoted_at));
  if (baseline.replaced_at)
    out.add("replaced_at", to_iso8601(*baseline.replaced_at));
  else
    out.raw("replaced_at", "null");
  return out.str();
}

std::string to_json(const db::BaselineBenchmark& benchmark) {
  return JsonObject{}
      .add("suite", benchmark.suite)
      .add("benchmark", benchmark.benchmark)
      .add("median_ns", benchmark.median_ns)
      .add("processes", benchmark.processes)
      .str();
}

std::string whole(const db::Baseline& baseline) {
  std::vector<std::string> benchmarks;
  for (const db::BaselineBenchmark& benchmark : baseline.benchmarks)
    benchmarks.push_back(to_json(benchmark));
  return JsonObject{}
      .raw("baseline", to_json(baseline))
      .raw("benchmarks", json_array(benchmarks))
      .str();
}

}  // namespace

Result<http::Answer> get_baselines(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const std::string name(request.query_value("repository").value_or(""));
  const auto rows =
      context.database.read([&](db::Connection& connection) -> Result<std::vector<db::Baseline>> {
        const auto repository = db::get_repository(connection, name);
        if (!repository) return pass_on(repository);
        return db::list_baselines(connection, repository->id, *page);
      });
  if (!rows) return pass_on(rows);
  std::vector<std::string> values;
  for (const db::Baseline& baseline : *rows) values.push_back(to_json(baseline));
  const auto next = next_page(*rows, *page, [](const db::Baseline& last) { return last.id.value; });
  return json(200, json_page("baselines", values, next));
}

Result<http::Answer> get_baseline(Context& context, const http::Request& request) {
  const std::string_view text = request.parameter("id");
  BaselineId id;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), id.value);
  if (error != std::errc{} || stop != text.data() + text.size())
    return fail(Errc::not_found, "no such baseline", "path");
  const auto found = context.database.read(
      [&](db::Connection& connection) { return db::get_baseline(connection, id); });
  if (!found) return pass_on(found);
  return json(200, whole(*found));
}

Result<http::Answer> post_baseline(Context& context, const http::Request& request) {
  const auto wanted = decode_promotion(request.body);
  if (!wanted) return pass_on(wanted);
  const Instant now = context.clock.now();
  const auto made =
      context.database.write([&](db::Connection& connection) -> Result<db::Baseline> {
        const auto repository = db::get_repository(connection, wanted->repository);
        if (!repository) return pass_on(repository);
        const auto run = db::get_run(connection, RunId{wanted->run});
        if (!run) return pass_on(run);
        if (run->repository_id != repository->id)
          return fail(Errc::invalid, "the run is one of another repository", "/run",
                      "name the repository of the run");
        const auto id = db::promote(connection,
                                    db::Promotion{.repository = repository->id,
                                                  .run = run->id,
                                                  .name = wanted->name,
                                                  .who = request.identity.name,
                                                  .reason = wanted->reason},
                                    now);
        if (!id) return pass_on(id);
        return db::get_baseline(connection, *id);
      });
  if (!made) return pass_on(made);
  http::Response response = json(201, whole(*made));
  response.headers.emplace_back("Location", "/api/v1/baselines/" + std::to_string(made->id.value));
  return response;
}

}  // namespace kernelgate::api
