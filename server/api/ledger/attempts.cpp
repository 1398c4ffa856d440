// SPDX-License-Identifier: Apache-2.0
// /attempts: the ledger of what was tried, and what people note in it.
#include "db/ledger/attempts.hpp"

#include "core/ledger/since.hpp"
#include "core/wire/codec.hpp"
#include "db/repositories/repositories.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/ledger/attempt_filter.hpp"

namespace kernelgate::api {
namespace {

Result<wire::Attempt> whole(db::Connection& connection, const Result<db::AttemptId>& id) {
  if (!id) return pass_on(id);
  return db::get_attempt(connection, *id);
}

}  // namespace

Result<db::AttemptFilter> attempt_filter(db::Connection& connection, const http::Request& request, Instant now) {
  db::AttemptFilter filter;
  if (const auto name = request.query_value("repository"); name && !name->empty()) {
    const auto repository = db::get_repository(connection, *name);
    if (!repository) return pass_on(repository);
    filter.repository = repository->id;
  }
  if (const auto text = request.query_value("outcome"); text && !text->empty()) {
    auto outcomes = ledger::parse_outcomes(*text);
    if (!outcomes) return pass_on(outcomes);
    filter.outcomes = std::move(*outcomes);
  }
  if (const auto text = request.query_value("since"); text && !text->empty()) {
    const auto since = ledger::parse_since(*text, now);
    if (!since) return pass_on(since);
    filter.since = *since;
  }
  filter.branch = request.query_value("branch").value_or("");
  filter.suite = request.query_value("suite").value_or("");
  filter.benchmark = request.query_value("benchmark").value_or("");
  filter.text = request.query_value("text").value_or("");
  return filter;
}

Result<http::Answer> get_attempts(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  auto rows = context.database.read([&](db::Connection& connection) -> Result<std::vector<wire::Attempt>> {
    const auto filter = attempt_filter(connection, request, context.clock.now());
    if (!filter) return pass_on(filter);
    return db::list_attempts(connection, *filter, *page);
  });
  if (!rows) return pass_on(rows);
  wire::AttemptPage out;
  out.next = next_page(*rows, *page, [](const wire::Attempt& last) { return last.id; });
  out.attempts = std::move(*rows);
  return json(200, wire::encode(out));
}

Result<http::Answer> get_attempt(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "attempt");
  if (!id) return pass_on(id);
  const auto one = context.database.read(
      [&](db::Connection& connection) { return db::get_attempt(connection, db::AttemptId{*id}); });
  if (!one) return pass_on(one);
  return json(200, wire::encode(*one));
}

Result<http::Answer> post_attempt(Context& context, const http::Request& request) {
  const auto note = wire::decode<wire::AttemptNote>(request.body);
  if (!note) return pass_on(note);
  const auto made = context.database.write([&](db::Connection& connection) {
    return whole(connection, db::note_attempt(connection, *note, request.identity.name, context.clock.now()));
  });
  if (!made) return pass_on(made);
  return json(201, wire::encode(*made));
}

Result<http::Answer> patch_attempt(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "attempt");
  if (!id) return pass_on(id);
  const auto change = wire::decode<wire::AttemptChange>(request.body);
  if (!change) return pass_on(change);
  const auto changed = context.database.write([&](db::Connection& connection) -> Result<wire::Attempt> {
    const db::AttemptId attempt{*id};
    const Status done = db::change_attempt(connection, attempt, *change, request.identity.name, context.clock.now());
    if (!done) return pass_on(done);
    return db::get_attempt(connection, attempt);
  });
  if (!changed) return pass_on(changed);
  return json(200, wire::encode(*changed));
}

}  // namespace kernelgate::api
