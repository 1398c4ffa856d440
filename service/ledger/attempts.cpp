// SPDX-License-Identifier: Apache-2.0
#include "service/ledger/attempts.hpp"

#include "core/ledger/since.hpp"
#include "db/ledger/attempts.hpp"
#include "db/ledger/tuning_rows.hpp"
#include "db/runs/runs.hpp"
#include "service/ledger/alike.hpp"
#include "service/ledger/attempt_record.hpp"
#include "service/ledger/tuning_report.hpp"
#include "service/store/named.hpp"

namespace kernelgate::service {
namespace {

Result<std::optional<Instant>> since_of(const std::string& text, Instant now) {
  if (text.empty()) return std::optional<Instant>();
  const auto since = ledger::parse_since(text, now);
  if (!since) return pass_on(since);
  return std::optional(*since);
}

Result<db::AttemptFilter> filter_of(const AttemptsWanted& wanted, Instant now) {
  db::AttemptFilter out;
  if (!wanted.outcome.empty()) {
    auto outcomes = ledger::parse_outcomes(wanted.outcome);
    if (!outcomes) return pass_on(outcomes);
    out.outcomes = std::move(*outcomes);
  }
  const auto since = since_of(wanted.since, now);
  if (!since) return pass_on(since);
  out.since = *since;
  narrow_to_branch(out, wanted.branch);
  out.suite = wanted.suite;
  out.benchmark = wanted.benchmark;
  out.text = wanted.text;
  return out;
}

}  // namespace

Result<std::vector<wire::Attempt>> list_attempts(Store store, const AttemptsWanted& wanted, const Page& page,
                                                 Instant now) {
  return store.read([&](db::Connection& connection) -> Result<std::vector<wire::Attempt>> {
    auto filter = filter_of(wanted, now);
    if (!filter) return pass_on(filter);
    if (!wanted.repository.empty()) {
      const auto repository = db::get_repository(connection, wanted.repository);
      if (!repository) return pass_on(repository);
      filter->repository = repository->id;
    }
    return whole_attempts(connection, *filter, page);
  });
}

Result<wire::Attempt> get_attempt(Store store, std::int64_t attempt) {
  return store.read([&](db::Connection& connection) { return whole_attempt(connection, db::AttemptId{attempt}); });
}

Result<wire::Attempt> note_attempt(Store store, const wire::AttemptNote& note, const std::string& actor, Instant now) {
  return store.write([&](db::Connection& connection) -> Result<wire::Attempt> {
    const auto id = note_attempt(connection, note, actor, now);
    if (!id) return pass_on(id);
    return whole_attempt(connection, *id);
  });
}

Result<wire::Attempt> change_attempt(Store store, std::int64_t attempt, const wire::AttemptChange& change,
                                     const std::string& actor, Instant now) {
  return store.write([&](db::Connection& connection) -> Result<wire::Attempt> {
    const db::AttemptId id{attempt};
    if (const Status done = change_attempt(connection, id, change, actor, now); !done) return pass_on(done);
    return whole_attempt(connection, id);
  });
}

Status plan_points(Store store, const LocalRepository& repository, const std::string& commit, const std::string& suite,
                   const std::vector<std::string>& points, Instant now) {
  return store.write([&](db::Connection& connection) -> Status {
    const auto id = enter_repository(connection, repository, now);
    if (!id) return pass_on(id);
    plan_points(connection, {.repository = *id, .commit = commit, .suite = suite, .points = points}, now);
    return {};
  });
}

Result<std::string> meant_repository(Store store, std::optional<std::int64_t> run, const std::string& usual) {
  return store.read([&](db::Connection& connection) -> Result<std::string> {
    if (run) {
      const auto one = db::get_run(connection, RunId{*run});
      if (!one) return pass_on(one);
      return one->repository;
    }
    const auto all = db::list_repositories(connection);
    for (const db::Repository& one : all)
      if (all.size() == 1 || one.name == usual) return one.name;
    return fail(Errc::invalid, "the store has " + std::to_string(all.size()) + " repositories", "--repository",
                "name one");
  });
}

Result<wire::TuningReport> tuning_report(Store store, const TuningWanted& wanted, Instant now) {
  return store.read([&](db::Connection& connection) -> Result<wire::TuningReport> {
    const auto repository = db::get_repository(connection, wanted.repository);
    if (!repository) return pass_on(repository);
    const auto since = since_of(wanted.since, now);
    if (!since) return pass_on(since);
    const std::vector<RepositoryId> repositories =
        wanted.of_address ? db::same_address(connection, repository->id) : std::vector{repository->id};
    return gather_report(connection, {.repositories = repositories,
                                      .name = repository->name,
                                      .branch = wanted.branch,
                                      .since_text = wanted.since,
                                      .since = *since});
  });
}

}  // namespace kernelgate::service
