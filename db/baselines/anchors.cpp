// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/anchors.hpp"

#include "core/stats/summary.hpp"
#include "db/baselines/sessions.hpp"

namespace kernelgate::db {
namespace {

// The newest present anchored baseline; of this epoch, or of any.
std::optional<Baseline> newest_anchor(Connection& connection, RepositoryId repository, std::optional<EpochId> epoch) {
  Statement row = connection.query(
      "SELECT id FROM baselines WHERE repository_id = ?1 AND anchor <> 0 AND replaced_at IS NULL "
      "AND (?2 IS NULL OR epoch_id = ?2) ORDER BY id DESC LIMIT 1",
      repository, epoch);
  if (!row.step()) return std::nullopt;
  return get_baseline(connection, row.id<BaselineId>(0)).value();
}

}  // namespace

AnchorLookup find_anchor(Connection& connection, RepositoryId repository, EpochId epoch) {
  AnchorLookup out;
  const auto present = newest_anchor(connection, repository, epoch);
  if (!present) {
    out.of_another_epoch = newest_anchor(connection, repository, std::nullopt);
    return out;
  }
  Anchor& anchor = out.anchor.emplace();
  anchor.baseline = *present;
  for (const BaselineBenchmark& one : present->benchmarks)
    anchor.medians_ns[{one.suite, one.benchmark}] = one.median_ns;
  for (const StoredSessions& stored : stored_sessions(connection, repository, epoch)) {
    if (stored.commit != present->commit) continue;
    for (const std::vector<double>& session : stored.sessions)
      if (const auto moments = stats::moments(session))
        anchor.sessions[{stored.suite, stored.benchmark}].push_back(moments->mean);
  }
  return out;
}

}  // namespace kernelgate::db
