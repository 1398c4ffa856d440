// SPDX-License-Identifier: Apache-2.0
#include "service/runs/local.hpp"

#include "core/units/digest.hpp"
#include "db/baselines/baselines.hpp"
#include "db/baselines/sessions.hpp"
#include "db/ledger/attempts.hpp"
#include "db/repositories/commits.hpp"
#include "db/repositories/repositories.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/claims.hpp"
#include "db/runs/comparisons.hpp"
#include "service/baselines/sessions.hpp"

namespace kernelgate::service {
namespace {

// What a claim would carry, kept like one: the run is decided with that.
void take_claim(db::Connection& connection, RepositoryId repository, EpochId epoch, const LocalRun& wanted,
                BegunRun& out) {
  constexpr int kGeneration = 1;  // the only one of a local run
  out.stored = db::stored_variances(connection, repository, epoch);
  if (!wanted.point) {
    out.sessions = claimed_sessions(connection, repository, epoch);
    out.baselines = db::baseline_commits(connection, repository);
    if (!wanted.force) out.bad_commits = db::bad_commits(connection, repository);
  }
  db::put_claim(connection, out.run, kGeneration, out.stored, out.sessions);
}

}  // namespace

Result<RepositoryId> enter_repository(db::Connection& connection, const LocalRepository& repository, Instant now) {
  const auto known = db::get_repository(connection, repository.name);
  if (!known)
    return db::add_repository(
        connection,
        {.name = repository.name, .url = repository.url, .default_branch = repository.default_branch, .manifest = {}},
        now);
  if (known->default_branch != repository.default_branch)
    db::set_default_branch(connection, known->id, repository.default_branch);
  return known->id;
}

Result<BegunRun> begin_local(Store store, const LocalRun& wanted, Instant now) {
  return store.write([&](db::Connection& connection) -> Result<BegunRun> {
    const auto repository = enter_repository(connection, wanted.repository, now);
    if (!repository) return pass_on(repository);
    const EpochId epoch = db::enter_epoch(connection, wanted.testbed, now);
    db::NewRun run;
    run.repository = *repository;
    run.commit = wanted.commit;
    run.branch = wanted.branch;
    run.base = wanted.base;
    run.source = wanted.source;
    run.idempotency_key = random_hex(16);
    run.seed = wanted.seed;
    run.force = wanted.force;
    run.queued = false;
    const auto added = db::add_run(connection, run, now);
    if (!added) return pass_on(added);
    BegunRun out{.run = added->id, .stored = {}, .sessions = {}, .baselines = {}, .bad_commits = {}};
    if (wanted.point)
      db::put_attempt_facts(connection, out.run,
                            {.hypothesis = {},
                             .patch_id = {},
                             .suite = wanted.point->suite,
                             .point = wanted.point->point,
                             .is_reference = wanted.point->is_reference});
    take_claim(connection, *repository, epoch, wanted, out);
    const Status set = db::set_epoch(connection, out.run, epoch, wanted.repository.name);
    if (!set) return pass_on(set);
    return out;
  });
}

}  // namespace kernelgate::service
