// SPDX-License-Identifier: Apache-2.0
// /overview: what the dashboard's first page shows, in one answer. /failures: where a fingerprint was seen.
#include <algorithm>

#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "db/history/overview.hpp"
#include "db/repositories/repositories.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/json_text.hpp"

namespace kernelgate::api {
namespace {

template <class Rows, class Write>
std::string list_of(const Rows& rows, Write write) {
  std::vector<std::string> values;
  for (const auto& row : rows) values.push_back(write(row));
  return json_array(values);
}

std::string to_json(const db::RecentRun& run) {
  return JsonObject{}
      .add("repository", run.repository)
      .add("testbed", run.testbed)
      .add("run", run.run.value)
      .add("commit", run.commit)
      .add("subject", run.subject)
      .add("conclusion", run.conclusion)
      .add("finished_at", to_iso8601(run.finished_at))
      .str();
}

std::string to_json(const db::OpenRegression& one) {
  return JsonObject{}
      .add("repository", one.repository)
      .add("testbed", one.testbed)
      .add("suite", one.suite)
      .add("benchmark", one.benchmark)
      .add("run", one.run.value)
      .add("commit", one.commit)
      .add("subject", one.subject)
      .add("author", one.author)
      .add("base_commit", one.base_commit)
      .add("found_at", to_iso8601(one.found_at))
      .add("ratio", one.ratio)
      .add("ratio_low", one.ratio_low)
      .add("ratio_high", one.ratio_high)
      .add("tolerate", one.tolerate)
      .add("catch_limit", one.catch_limit)
      .str();
}

std::string to_json(const db::BrokenKernel& one) {
  return JsonObject{}
      .add("repository", one.repository)
      .add("testbed", one.testbed)
      .add("suite", one.suite)
      .add("benchmark", one.benchmark)
      .add("verdict", one.verdict)
      .add("reason", one.reason)
      .add("fingerprint", one.fingerprint)
      .add("run", one.run.value)
      .add("commit", one.commit)
      .add("subject", one.subject)
      .add("found_at", to_iso8601(one.found_at))
      .str();
}

std::string to_json(const db::RunnerSeen& one) {
  return JsonObject{}
      .add("name", one.name)
      .add("testbed", one.testbed)
      .add("gpu_model", one.gpu_model)
      .add("state", one.state)
      .add("progress", one.progress)
      .add("run", one.run.value)
      .add("started_at", to_iso8601(one.started_at))
      .add("card_state", one.card_state)
      .str();
}

std::string to_json(const db::Spent& spent) {
  return JsonObject{}
      .add("runs", spent.runs)
      .add("gpu_s_held", spent.gpu_s_held)
      .add("gpu_s_used", spent.gpu_s_used)
      .add("cost", spent.cost)
      .str();
}

std::string running_json(db::Connection& connection) {
  const db::Page first{.limit = limits::kRunningShownMax};
  const auto runs = db::list_runs(connection, db::RunFilter{.unfinished_only = true}, first);
  return list_of(runs, [&](const db::Run& run) {
    const db::RunPace pace = db::pace_of(connection, run.id);
    return JsonObject{}
        .raw("run", wire::encode(db::to_wire(run)))
        .add("runner", run.runner)
        .add("pairs", pace.pairs)
        .add("expected_s", pace.expected_s)
        .str();
  });
}

std::string to_json(const db::FailureSeen& one) {
  return JsonObject{}
      .add("run", one.run.value)
      .add("commit", one.commit)
      .add("branch", one.branch)
      .add("subject", one.subject)
      .add("benchmark", one.benchmark)
      .add("verdict", one.verdict)
      .add("finished_at", to_iso8601(one.finished_at))
      .str();
}

const auto kWrite = [](const auto& row) { return to_json(row); };

}  // namespace

Result<http::Answer> get_overview(Context& context, const http::Request& request) {
  const Instant now = context.clock.now();
  const auto since = request.query_number("since_ms", to_millis(now) - 86'400'000, 0, INT64_MAX);
  if (!since) return pass_on(since);
  const auto body = context.database.read([&](db::Connection& connection) -> Result<std::string> {
    return JsonObject{}
        .raw("recent", list_of(db::recent_runs(connection), kWrite))
        .raw("regressions", list_of(db::open_regressions(connection, now), kWrite))
        .raw("broken", list_of(db::broken_kernels(connection), kWrite))
        .raw("running", running_json(connection))
        .raw("runners", list_of(db::runners_seen(connection), kWrite))
        .raw("spent", to_json(db::spent_since(connection, from_millis(*since))))
        .str();
  });
  if (!body) return pass_on(body);
  return json(200, *body);
}

Result<http::Answer> get_failures(Context& context, const http::Request& request) {
  const auto name = request.query_value("repository");
  const auto fingerprint = request.query_value("fingerprint");
  if (!name || !fingerprint || fingerprint->empty())
    return fail(Errc::invalid, "repository and fingerprint are needed", "query", "give both");
  const auto limit = request.query_number("limit", 50, 1, limits::kPageMax);
  if (!limit) return pass_on(limit);
  const auto found = context.database.read([&](db::Connection& connection) -> Result<std::vector<db::FailureSeen>> {
    const auto repository = db::get_repository(connection, *name);
    if (!repository) return pass_on(repository);
    return db::failures_seen(connection, repository->id, *fingerprint, static_cast<int>(*limit));
  });
  if (!found) return pass_on(found);
  return json(200, JsonObject{}.raw("failures", list_of(*found, kWrite)).str());
}

}  // namespace kernelgate::api
