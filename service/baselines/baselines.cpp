// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/baselines.hpp"

#include "db/repositories/repositories.hpp"
#include "service/baselines/baseline_diff.hpp"
#include "service/baselines/baseline_file.hpp"
#include "service/baselines/carry.hpp"
#include "service/baselines/promotion.hpp"
#include "service/runs/seed.hpp"
#include "service/runs/thinning.hpp"
#include "service/store/named.hpp"

namespace kernelgate::service {

Result<std::vector<Baseline>> list_baselines(Store store, std::string_view repository, const Page& page) {
  return read_of(store, repository, [&](db::Connection& connection, RepositoryId id) {
    return Result<std::vector<Baseline>>(db::list_baselines(connection, id, page));
  });
}

Result<Baseline> get_baseline(Store store, BaselineId baseline) {
  return store.read([&](db::Connection& connection) { return db::get_baseline(connection, baseline); });
}

Result<Baseline> promote(Store store, const wire::Promotion& wanted, const std::string& actor, Instant now) {
  return write_of(store, wanted.repository, [&](db::Connection& connection, RepositoryId id) -> Result<Baseline> {
    const auto run = db::get_run(connection, RunId{wanted.run});
    if (!run) return pass_on(run);
    if (run->repository_id != id)
      return fail(Errc::invalid, "the run is one of another repository", "/run", "name the repository of the run");
    const auto made = promote_run(connection,
                                  {.repository = id,
                                   .run = run->id,
                                   .name = wanted.name,
                                   .actor = actor,
                                   .reason = wanted.reason,
                                   .anchor = wanted.anchor},
                                  now);
    if (!made) return pass_on(made);
    return db::get_baseline(connection, *made);
  });
}

Result<std::vector<Remeasurable>> remeasurable(Store store, std::string_view repository, const std::string& name) {
  return read_of(
      store, repository, [&](db::Connection& connection, RepositoryId id) -> Result<std::vector<Remeasurable>> {
        auto found = remeasurable(connection, id, name);
        if (found.empty())
          return fail(Errc::not_found, name.empty() ? "no baseline is promoted" : "no baseline '" + name + "'", "/name",
                      "promote a run first");
        return found;
      });
}

Result<QueuedSessions> queue_sessions(Store store, const wire::RemeasureRequest& wanted, int queued_max,
                                      const std::string& actor, Instant now) {
  const auto found = remeasurable(store, wanted.repository, wanted.name);
  if (!found) return pass_on(found);
  return store.write([&](db::Connection& connection) -> Result<QueuedSessions> {
    QueuedSessions out;
    for (const Remeasurable& one : *found) {
      wire::Remeasured& line = out.reply.baselines.emplace_back();
      line.name = one.baseline.name;
      line.commit = one.baseline.commit;
      line.why_not = one.why_not;
      if (!one.why_not.empty()) continue;
      db::NewRun session = session_run(one.baseline, wanted.processes, random_seed());
      session.queued_max = queued_max;
      const auto added = db::add_run(connection, session, now);
      if (!added) return pass_on(added);
      db::bind_session(connection, added->id, one.testbed);
      auto run = db::get_run(connection, added->id);
      if (!run) return pass_on(run);
      line.run = added->id.value;
      log_run(connection, actor, "baseline.remeasure", run->id, run->commit, now);
      out.runs.push_back(std::move(*run));
    }
    return out;
  });
}

Result<wire::BaselineDiff> diff_baselines(Store store, std::string_view repository, const std::string& a,
                                          const std::string& b) {
  return read_of(store, repository,
                 [&](db::Connection& connection, RepositoryId id) { return diff_baselines(connection, id, a, b); });
}

Result<std::string> export_baselines(Store store, std::string_view repository, const std::string& name,
                                     const std::string& program) {
  return read_of(store, repository, [&](db::Connection& connection, RepositoryId id) {
    return export_baselines(connection, {.repository = id, .name = name, .program = program});
  });
}

Result<wire::ImportReply> import_baselines(Store store, std::string_view repository, const std::string& testbed,
                                           const std::string& lines, const std::string& actor, Instant now) {
  return write_of(store, repository, [&](db::Connection& connection, RepositoryId id) {
    return import_baselines(connection, {.repository = id, .testbed = testbed, .actor = actor}, lines, now);
  });
}

Result<int> carry_baselines(Store store, RunId id, const wire::EpochUpload& upload, const Holder& holder, Instant now) {
  return store.write([&](db::Connection& connection) -> Result<int> {
    if (const Status held = check_holder(connection, id, holder); !held) return pass_on(held);
    const auto run = db::get_run(connection, id);
    if (!run) return pass_on(run);
    if (!run->epoch) return 0;
    return carry_baselines(connection,
                           {.repository = run->repository_id,
                            .to = *run->epoch,
                            .commit = upload.commit,
                            .actor = run->runner,
                            .text = upload.text,
                            .figures = upload.figures},
                           now);
  });
}

Result<wire::PruneReply> prune(Store store, const wire::PruneRequest& wanted, const std::string& actor, Instant now) {
  const ThinningWanted old{.before = now - std::chrono::hours(24) * wanted.older_than_days, .dry_run = wanted.dry_run};
  return thin_store(store, old, actor, now);
}

}  // namespace kernelgate::service
