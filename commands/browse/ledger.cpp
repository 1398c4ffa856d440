// SPDX-License-Identifier: Apache-2.0
#include "commands/browse/ledger.hpp"

#include "commands/browse/reach.hpp"
#include "commands/login_name.hpp"
#include "core/ledger/since.hpp"
#include "db/ledger/attempts.hpp"
#include "db/ledger/tuning_report.hpp"
#include "db/repositories/repositories.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::browse {
namespace {

using Attempts = std::vector<wire::Attempt>;

AttemptLookup lookup_of(const Target& place, const AttemptsWanted& wanted) {
  AttemptLookup out{.repository = place.repository,
                    .outcome = wanted.outcome,
                    .branch = wanted.branch,
                    .since = wanted.since,
                    .suite = wanted.suite,
                    .benchmark = wanted.benchmark,
                    .text = wanted.text};
  out.limit = wanted.limit;
  return out;
}

Result<std::optional<Instant>> since_of(const std::string& text) {
  if (text.empty()) return std::optional<Instant>();
  const auto since = ledger::parse_since(text, SystemClock().now());
  if (!since) return pass_on(since);
  return std::optional<Instant>(*since);
}

Result<db::AttemptFilter> filter_of(db::Connection& connection, const Target& place, const AttemptsWanted& wanted) {
  db::AttemptFilter out;
  out.branch = wanted.branch;
  out.suite = wanted.suite;
  out.benchmark = wanted.benchmark;
  out.text = wanted.text;
  if (!place.repository.empty()) {
    const auto repository = db::get_repository(connection, place.repository);
    if (!repository) return pass_on(repository);
    out.repository = repository->id;
  }
  auto outcomes = ledger::parse_outcomes(wanted.outcome);
  if (!outcomes) return pass_on(outcomes);
  out.outcomes = std::move(*outcomes);
  const auto since = since_of(wanted.since);
  if (!since) return pass_on(since);
  out.since = *since;
  return out;
}

// A store of `run` and `sweep` has two names for one repository: what is tried next goes by the first.
Result<db::Repository> noted_repository(db::Connection& connection, const wire::AttemptNote& note) {
  if (!note.repository.empty()) return db::get_repository(connection, note.repository);
  if (note.run) {
    const auto run = db::get_run(connection, RunId{*note.run});
    if (!run) return pass_on(run);
    return db::get_repository(connection, run->repository_id);
  }
  const auto all = db::list_repositories(connection);
  for (const db::Repository& one : all)
    if (all.size() == 1 || one.name == local::kRepositoryName) return one;
  return fail(Errc::invalid, "the store has " + std::to_string(all.size()) + " repositories", "--repository",
              "name one");
}

Result<db::Repository> reported_repository(db::Connection& connection, const std::string& name) {
  return noted_repository(connection, {.repository = name});
}

}  // namespace

Result<Attempts> attempts(const Target& place, const AttemptsWanted& wanted) {
  if (place.server.empty())
    return in_store(place, [&](db::Connection& connection) -> Result<Attempts> {
      const auto filter = filter_of(connection, place, wanted);
      if (!filter) return pass_on(filter);
      return db::list_attempts(connection, *filter, {.before = 0, .limit = wanted.limit});
    });
  auto client = connect(place);
  if (!client) return pass_on(client);
  auto page = client->attempts(lookup_of(place, wanted));
  if (!page) return pass_on(page);
  return std::move(page->attempts);
}

Result<wire::Attempt> one_attempt(const Target& place, std::int64_t id) {
  if (place.server.empty())
    return in_store(place, [&](db::Connection& connection) { return db::get_attempt(connection, db::AttemptId{id}); });
  auto client = connect(place);
  if (!client) return pass_on(client);
  return client->attempt(id);
}

Result<wire::Attempt> note(const Target& place, wire::AttemptNote note) {
  note.repository = place.repository;
  if (!place.server.empty()) {
    if (note.repository.empty())
      return fail(Errc::invalid, "whose attempt?", "--repository", "name a repository of the server");
    auto client = connect(place);
    if (!client) return pass_on(client);
    return client->note(note);
  }
  auto database = open_store(place);
  if (!database) return pass_on(database);
  return (*database)->write([&](db::Connection& connection) -> Result<wire::Attempt> {
    const auto repository = noted_repository(connection, note);
    if (!repository) return pass_on(repository);
    note.repository = repository->name;
    const auto id = db::note_attempt(connection, note, local::login_name(), SystemClock().now());
    if (!id) return pass_on(id);
    return db::get_attempt(connection, *id);
  });
}

Result<wire::TuningReport> tuning_report(const Target& place, const TuningWanted& wanted) {
  if (!place.server.empty()) {
    if (place.repository.empty())
      return fail(Errc::invalid, "whose tuning?", "--repository", "name a repository of the server");
    auto client = connect(place);
    if (!client) return pass_on(client);
    AttemptsWanted both;
    both.branch = wanted.branch;
    both.since = wanted.since;
    both.limit = 0;
    return client->tuning_report(lookup_of(place, both));
  }
  return in_store(place, [&](db::Connection& connection) -> Result<wire::TuningReport> {
    const auto repository = reported_repository(connection, place.repository);
    if (!repository) return pass_on(repository);
    const auto since = since_of(wanted.since);
    if (!since) return pass_on(since);
    return db::tuning_report(connection, {.repositories = db::same_address(connection, repository->id),
                                          .name = repository->name,
                                          .branch = wanted.branch,
                                          .since_text = wanted.since,
                                          .since = *since});
  });
}

}  // namespace kernelgate::browse
