// SPDX-License-Identifier: Apache-2.0
#include "service/ledger/bisections.hpp"

#include "db/ledger/bisections.hpp"
#include "service/store/named.hpp"

namespace kernelgate::service {

Result<std::vector<wire::Bisection>> list_bisections(Store store, std::string_view repository, const Page& page) {
  return read_of(store, repository, [&](db::Connection& connection, RepositoryId id) {
    return Result<std::vector<wire::Bisection>>(db::list_bisections(connection, id, page));
  });
}

Result<wire::Bisection> get_bisection(Store store, std::int64_t bisection) {
  return store.read(
      [&](db::Connection& connection) { return db::get_bisection(connection, db::BisectionId{bisection}); });
}

Result<wire::Bisection> start_bisection(Store store, const wire::BisectionRequest& wanted, int queued_max,
                                        const std::string& actor, Instant now) {
  return write_of(
      store, wanted.repository, [&](db::Connection& connection, RepositoryId repository) -> Result<wire::Bisection> {
        db::NewBisection begun{.repository = repository,
                               .target = {.aim = wanted.until, .suite = wanted.suite, .benchmark = wanted.benchmark},
                               .commits = wanted.commits,
                               .actor = actor,
                               .queued_max = queued_max};
        const auto id = db::start_bisection(connection, std::move(begun), now);
        if (!id) return pass_on(id);
        return db::get_bisection(connection, *id);
      });
}

Result<CancelledBisection> cancel_bisection(Store store, std::int64_t bisection, const std::string& actor,
                                            Instant now) {
  const db::BisectionId id{bisection};
  return store.write([&](db::Connection& connection) -> Result<CancelledBisection> {
    const auto run = db::run_under_way(connection, id);
    if (const Status done = db::cancel_bisection(connection, id, actor, now); !done) return pass_on(done);
    auto stopped = db::get_bisection(connection, id);
    if (!stopped) return pass_on(stopped);
    CancelledBisection out{.bisection = std::move(*stopped), .run = {}};
    if (run)
      if (auto row = db::get_run(connection, *run)) out.run = std::move(*row);
    return out;
  });
}

Result<wire::BackfillReply> backfill(Store store, const wire::BackfillRequest& wanted, int queued_max,
                                     const std::string& actor, Instant now) {
  return write_of(store, wanted.repository, [&](db::Connection& connection, RepositoryId repository) {
    return db::backfill(connection,
                        {.repository = repository,
                         .commits = wanted.commits,
                         .limit = wanted.limit,
                         .actor = actor,
                         .queued_max = queued_max},
                        now);
  });
}

Result<std::vector<std::size_t>> never_measured(Store store, std::string_view repository,
                                                const std::vector<std::string>& line) {
  return read_of(store, repository, [&](db::Connection& connection, RepositoryId id) {
    return Result<std::vector<std::size_t>>(db::never_measured(connection, id, line));
  });
}

}  // namespace kernelgate::service
