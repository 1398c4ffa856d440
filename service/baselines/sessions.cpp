// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/sessions.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/decision/rule/stored_screen.hpp"
#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "db/repositories/testbeds.hpp"

namespace kernelgate::service {
namespace {

std::string why_not_now(db::Connection& connection, const db::Baseline& baseline) {
  if (db::is_over(connection, baseline.epoch)) return "its epoch is over: promote a run of the present one";
  const auto run = db::unfinished_session(connection, baseline);
  return run ? "run " + std::to_string(run->value) + " of it is not finished yet" : "";
}

}  // namespace

std::vector<Remeasurable> remeasurable(db::Connection& connection, RepositoryId repository, std::string_view name) {
  std::vector<Remeasurable> out;
  std::set<std::pair<std::string, EpochId>> seen;  // two names of one commit share their sessions
  for (db::Baseline& baseline : db::present_baselines(connection, repository, name)) {
    if (!seen.insert({baseline.commit, baseline.epoch}).second) continue;
    const auto epoch = db::get_epoch(connection, baseline.epoch);
    std::string why = why_not_now(connection, baseline);
    out.push_back(
        {.baseline = std::move(baseline), .testbed = epoch ? epoch->facts.name : "", .why_not = std::move(why)});
  }
  return out;
}

db::NewRun session_run(const db::Baseline& baseline, int processes, std::uint64_t seed) {
  db::NewRun run;
  run.repository = baseline.repository;
  run.commit = baseline.commit;
  run.base = {wire::BaseKind::none, std::to_string(processes)};
  run.source = db::kSessionSource;
  run.idempotency_key = "session:" + random_hex(16);
  run.seed = seed;
  run.force = true;  // a stored verdict is no session
  return run;
}

void shorten(std::vector<StoredSessions>& all) {
  std::size_t figures = 0;
  for (const StoredSessions& one : all)
    for (const auto& session : one.sessions) figures += session.size();
  if (figures <= limits::kClaimFiguresMax) return;
  const std::size_t keep =
      std::max<std::size_t>(kStoredSessionsMin, limits::kSessionsMax * limits::kClaimFiguresMax / figures);
  for (StoredSessions& one : all)
    if (one.sessions.size() > keep)
      one.sessions.erase(one.sessions.begin(), one.sessions.end() - static_cast<std::ptrdiff_t>(keep));
}

std::vector<StoredSessions> claimed_sessions(db::Connection& connection, RepositoryId repository, EpochId epoch) {
  auto out = db::stored_sessions(connection, repository, epoch);
  shorten(out);
  return out;
}

}  // namespace kernelgate::service
