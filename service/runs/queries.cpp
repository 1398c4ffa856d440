// SPDX-License-Identifier: Apache-2.0
#include "service/runs/queries.hpp"

#include "db/ledger/attempts.hpp"
#include "db/repositories/repositories.hpp"
#include "db/runs/bundles.hpp"
#include "db/runs/checks.hpp"
#include "db/runs/comparisons.hpp"
#include "service/ledger/alike.hpp"

namespace kernelgate::service {
namespace {

// Reads rows of a run that exists, or of the one whose verdict it reuses.
template <class Read>
auto read_of_run(Store store, RunId id, Read read) {
  using Rows = std::invoke_result_t<Read&, db::Connection&, RunId>;
  return store.read([&](db::Connection& connection) -> Result<Rows> {
    const auto run = db::get_run(connection, id);
    if (!run) return pass_on(run);
    return read(connection, run->reused_from.value_or(id));
  });
}

}  // namespace

Result<std::vector<Run>> list_runs(Store store, RunFilter filter, std::string_view repository, const Page& page) {
  return store.read([&](db::Connection& connection) -> Result<std::vector<Run>> {
    if (!repository.empty()) {
      const auto named = db::get_repository(connection, repository);
      if (!named) return pass_on(named);
      filter.repository = named->id;
    }
    return db::list_runs(connection, filter, page);
  });
}

Result<Run> get_run(Store store, RunId run) {
  return store.read([&](db::Connection& connection) { return db::get_run(connection, run); });
}

Result<RunDecision> reused_decision(Store store, RunId id) {
  return store.read([&](db::Connection& connection) -> Result<RunDecision> {
    const auto run = db::get_run(connection, id);
    if (!run) return pass_on(run);
    RunDecision out = db::stored_decision(connection, run->reused_from.value_or(id));
    for (std::string& notice : attempt_notices(connection, id)) out.notices.push_back(std::move(notice));
    return out;
  });
}

Result<wire::Run> whole_run(Store store, RunId run) {
  return store.read([&](db::Connection& connection) { return whole_run(connection, run); });
}

Result<std::vector<Comparison>> comparisons_of(Store store, RunId id, int from, int limit) {
  return read_of_run(store, id, [&](db::Connection& connection, RunId run) {
    return db::list_comparisons(connection, run, from, limit);
  });
}

Result<std::vector<CheckCase>> checks_of(Store store, RunId id, int from, int limit) {
  return read_of_run(
      store, id, [&](db::Connection& connection, RunId run) { return db::list_checks(connection, run, from, limit); });
}

Result<std::optional<Ceilings>> ceilings_of(Store store, RunId id) {
  return read_of_run(store, id, [](db::Connection& connection, RunId run) { return db::ceilings_of(connection, run); });
}

Result<std::vector<StoredProcess>> processes_of(Store store, RunId id, const ProcessFilter& filter, const Page& page) {
  return read_of_run(store, id, [&](db::Connection& connection, RunId run) {
    return db::list_processes(connection, run, filter, page);
  });
}

Result<std::vector<LogInfo>> logs_of(Store store, RunId id) {
  return read_of_run(store, id, [](db::Connection& connection, RunId run) { return db::list_logs(connection, run); });
}

Result<std::string> log_of(Store store, RunId id, std::string_view name) {
  return store.read([&](db::Connection& connection) -> Result<std::string> {
    const auto run = db::get_run(connection, id);
    if (!run) return pass_on(run);
    return db::get_log(connection, run->reused_from.value_or(id), name);
  });
}

Result<std::vector<EpochRecord>> list_epochs(Store store, const Page& page) {
  return store.read([&](db::Connection& connection) { return db::list_epochs(connection, page); });
}

Result<BundleFile> bundle_of(Store store, RunId run) {
  const auto bundle = store.read([&](db::Connection& connection) { return db::make_bundle(connection, run); });
  if (!bundle) return pass_on(bundle);
  auto bytes = db::pack_bundle(*bundle);
  if (!bytes) return pass_on(bytes);
  return BundleFile{.run = bundle->run.id, .bytes = std::move(*bytes)};
}

}  // namespace kernelgate::service
