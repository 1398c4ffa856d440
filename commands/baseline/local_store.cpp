// SPDX-License-Identifier: Apache-2.0
#include "commands/baseline/baseline.hpp"
#include "commands/login_name.hpp"
#include "core/units/time.hpp"
#include "core/wire/codec.hpp"
#include "db/baselines/acknowledgements.hpp"
#include "db/baselines/baseline_diff.hpp"
#include "db/baselines/baseline_file.hpp"
#include "db/baselines/baselines.hpp"
#include "db/baselines/quarantines.hpp"
#include "db/baselines/sessions.hpp"
#include "db/repositories/repositories.hpp"
#include "db/runs/runs.hpp"
#include "db/runs/thinning.hpp"
#include "db/store/database.hpp"

namespace kernelgate::local {
namespace {

// The limits of a request are those that a server would hold it to.
template <class Message>
Result<Message> within_limits(Message request) {
  request.repository = kRepositoryName;
  return wire::decode<Message>(wire::encode(request));
}

class LocalBaselines final : public Baselines {
 public:
  LocalBaselines(BaselineTarget place, std::filesystem::path file) : place_(std::move(place)), file_(std::move(file)) {}

  Result<BaselineList> list() override {
    return work([](db::Connection& connection, RepositoryId repository, Instant) -> Result<BaselineList> {
      BaselineList out;
      for (const db::Baseline& one : db::list_baselines(connection, repository, {.limit = limits::kPageMax}))
        out.baselines.push_back(db::to_wire(one).baseline);
      for (const auto& one : db::list_acknowledgements(connection, repository, {.limit = limits::kPageMax}))
        out.acknowledgements.push_back(db::to_wire(one));
      return out;
    });
  }

  Result<wire::WholeBaseline> promote(wire::Promotion promotion) override {
    if (const auto good = within_limits(promotion); !good) return pass_on(good);
    return work([&](db::Connection& connection, RepositoryId repository, Instant now) -> Result<wire::WholeBaseline> {
      const auto id = db::promote(connection,
                                  {.repository = repository,
                                   .run = RunId{promotion.run},
                                   .name = promotion.name,
                                   .who = login_name(),
                                   .reason = promotion.reason,
                                   .anchor = promotion.anchor},
                                  now);
      if (!id) return pass_on(id);
      const auto made = db::get_baseline(connection, *id);
      if (!made) return pass_on(made);
      return db::to_wire(*made);
    });
  }

  Result<wire::RemeasureReply> remeasure(const Remeasure& wanted, const RunProgress& progress,
                                         std::stop_token stop) override {
    if (!place_.repository.empty())
      return fail(Errc::invalid, "only the repository at hand can be timed here", "--repository",
                  "leave it out, or add --server URL");
    const auto found = work([&](db::Connection& connection, RepositoryId repository, Instant) {
      return Result<std::vector<db::Remeasurable>>(db::remeasurable(connection, repository, wanted.name));
    });
    if (!found) return pass_on(found);
    if (found->empty())
      return fail(Errc::not_found,
                  wanted.name.empty() ? "no baseline is promoted" : "no baseline is named '" + wanted.name + "'", {},
                  "promote a run first: kernelgate baseline promote");
    wire::RemeasureReply reply;
    for (const db::Remeasurable& one : *found) {
      auto line = measure(one, wanted, progress, stop);
      if (!line) return pass_on(line);
      reply.baselines.push_back(std::move(*line));
    }
    return reply;
  }

  Result<wire::AcknowledgementRecord> accept(wire::AcceptRequest request) override {
    if (const auto good = within_limits(request); !good) return pass_on(good);
    return work(
        [&](db::Connection& connection, RepositoryId repository, Instant now) -> Result<wire::AcknowledgementRecord> {
          const auto id = db::accept(connection, db::acceptance_of(request, repository, login_name(), now), now);
          if (!id) return pass_on(id);
          return record(connection, *id);
        });
  }

  Result<wire::AcknowledgementRecord> revoke(std::int64_t id, wire::RevokeAcceptanceRequest request) override {
    if (const auto good = within_limits(request); !good) return pass_on(good);
    return work(
        [&](db::Connection& connection, RepositoryId repository, Instant now) -> Result<wire::AcknowledgementRecord> {
          const db::AcknowledgementId acknowledgement{id};
          const Status done = db::revoke(
              connection,
              {.repository = repository, .id = acknowledgement, .who = login_name(), .reason = request.reason}, now);
          if (!done) return pass_on(done);
          return record(connection, acknowledgement);
        });
  }

  Result<wire::BaselineDiff> diff(const std::string& a, const std::string& b) override {
    return work([&](db::Connection& connection, RepositoryId repository, Instant) {
      return db::diff_baselines(connection, repository, a, b);
    });
  }

  Result<std::string> export_text(const std::string& name) override {
    return work([&](db::Connection& connection, RepositoryId repository, Instant) {
      return db::export_baselines(connection, {.repository = repository, .name = name, .program = place_.program});
    });
  }

  Result<wire::ImportReply> import_text(const std::string& text, const std::string& testbed) override {
    return work([&](db::Connection& connection, RepositoryId repository, Instant now) {
      return db::import_baselines(connection, {.repository = repository, .testbed = testbed, .who = login_name()}, text,
                                  now);
    });
  }

  Result<std::vector<wire::QuarantineRecord>> quarantines(bool released) override {
    using Records = std::vector<wire::QuarantineRecord>;
    return work([&](db::Connection& connection, RepositoryId repository, Instant) -> Result<Records> {
      Records out;
      for (db::Page page{.limit = limits::kPageMax};; page.before = out.back().id) {
        const auto rows = db::list_quarantines(connection, repository, released, page);
        for (const auto& one : rows) out.push_back(db::to_wire(one));
        if (rows.size() < static_cast<std::size_t>(page.limit)) return out;
      }
    });
  }

  Result<wire::QuarantineRecord> quarantine(wire::QuarantineRequest request) override {
    if (const auto good = within_limits(request); !good) return pass_on(good);
    return work(
        [&](db::Connection& connection, RepositoryId repository, Instant now) -> Result<wire::QuarantineRecord> {
          const auto id = db::set_quarantine(connection,
                                             {.repository = repository,
                                              .suite = request.suite,
                                              .benchmark = request.benchmark,
                                              .epoch = {},
                                              .who = login_name(),
                                              .reason = request.reason},
                                             now);
          if (!id) return pass_on(id);
          return record(connection, *id);
        });
  }

  Result<wire::QuarantineRecord> release(std::int64_t id, wire::ReleaseRequest request) override {
    if (const auto good = within_limits(request); !good) return pass_on(good);
    return work([&](db::Connection& connection, RepositoryId repository,
                    Instant now) -> Result<wire::QuarantineRecord> {
      const db::QuarantineId quarantine{id};
      const Status done = db::release_quarantine(
          connection, {.repository = repository, .id = quarantine, .who = login_name(), .reason = request.reason}, now);
      if (!done) return pass_on(done);
      return record(connection, quarantine);
    });
  }

 private:
  static Result<wire::QuarantineRecord> record(db::Connection& connection, db::QuarantineId id) {
    const auto made = db::get_quarantine(connection, id);
    if (!made) return pass_on(made);
    return db::to_wire(*made);
  }

  static Result<wire::AcknowledgementRecord> record(db::Connection& connection, db::AcknowledgementId id) {
    const auto made = db::get_acknowledgement(connection, id);
    if (!made) return pass_on(made);
    return db::to_wire(*made);
  }

  // The store is open only meanwhile: a run opens it for itself.
  template <class Work>
  auto work(Work work) -> std::invoke_result_t<Work&, db::Connection&, RepositoryId, Instant> {
    auto database = db::Database::open(file_);
    if (!database) return pass_on(database);
    return (*database)->write(
        [&](db::Connection& connection) -> std::invoke_result_t<Work&, db::Connection&, RepositoryId, Instant> {
          const auto repository =
              db::get_repository(connection, place_.repository.empty() ? kRepositoryName : place_.repository);
          if (!repository)
            return fail(Errc::not_found, "the store has no such repository", file_.string(),
                        "kernelgate run makes that of --repo; name another with --repository");
          return work(connection, repository->id, SystemClock().now());
        });
  }

  Result<wire::Remeasured> measure(const db::Remeasurable& one, const Remeasure& wanted, const RunProgress& progress,
                                   const std::stop_token& stop) {
    wire::Remeasured line{.name = one.baseline.name, .commit = one.baseline.commit, .run = {}, .why_not = one.why_not};
    if (!line.why_not.empty()) return line;
    RunOptions options;
    options.repository = place_.folder;
    options.database = place_.database;
    options.head = one.baseline.commit;
    options.session = wanted.processes;
    options.no_sandbox = wanted.no_sandbox;
    options.cpus = wanted.cpus;
    const auto outcome = run_here(options, progress, stop);
    if (!outcome) return pass_on(outcome);
    line.run = outcome->run;
    if (outcome->decision.conclusion != Conclusion::passed) line.why_not = outcome->decision.summary;
    const auto epoch = work([&](db::Connection& connection, RepositoryId, Instant) -> Result<std::optional<EpochId>> {
      const auto run = db::get_run(connection, RunId{outcome->run});
      if (!run) return pass_on(run);
      return run->epoch;
    });
    if (!epoch) return pass_on(epoch);
    if (*epoch != one.baseline.epoch)
      line.why_not = "the machine has changed since it was promoted: promote a run of the present epoch";
    return line;
  }

  const BaselineTarget place_;
  const std::filesystem::path file_;
};

// A mistyped path must not become a new, empty store.
Result<std::filesystem::path> store_of(const BaselineTarget& place) {
  std::filesystem::path file = place.database;
  if (file.empty()) {
    auto own = local_store(place.folder);
    if (!own) return pass_on(own);
    file = std::move(*own);
  }
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    return fail(Errc::not_found, "there is no local store", file.string(), "kernelgate run comes first");
  return file;
}

}  // namespace

Result<std::unique_ptr<Baselines>> open_local_baselines(const BaselineTarget& place) {
  auto file = store_of(place);
  if (!file) return pass_on(file);
  return std::make_unique<LocalBaselines>(place, std::move(*file));
}

Result<wire::PruneReply> prune_local(const BaselineTarget& place, const wire::PruneRequest& request) {
  if (const auto good = wire::decode<wire::PruneRequest>(wire::encode(request)); !good) return pass_on(good);
  const auto file = store_of(place);
  if (!file) return pass_on(file);
  auto database = db::Database::open(*file);
  if (!database) return pass_on(database);
  const Instant now = SystemClock().now();
  const db::ThinningWanted old{.before = now - std::chrono::hours(24) * request.older_than_days,
                               .dry_run = request.dry_run};
  return db::thin_store(**database, old, login_name(), now);
}

}  // namespace kernelgate::local
