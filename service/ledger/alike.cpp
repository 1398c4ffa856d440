// SPDX-License-Identifier: Apache-2.0
#include "service/ledger/alike.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/ledger/notices.hpp"
#include "core/units/limits.hpp"
#include "db/ledger/attempt_rows.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::service {
namespace {

// The same branch, the same change and the points of one sweep are expected to fail alike.
bool is_related(const db::AlikeRow& own, const db::AlikeRow& other) {
  if (!own.patch_id.empty() && own.patch_id == other.patch_id) return true;
  if (own.kind == "point" || other.kind == "point")
    return own.kind == other.kind && own.commit == other.commit && own.suite == other.suite;
  return own.branch == other.branch;
}

std::string short_name(const db::AlikeRow& one) {
  if (one.kind == "point") return one.point;
  return one.branch.empty() ? one.commit.substr(0, 10) : one.branch;
}

std::optional<double> furthest(std::optional<double> best, std::optional<double> worst) {
  if (!best || !worst) return best ? best : worst;
  return std::fabs(std::log(*best)) > std::fabs(std::log(*worst)) ? best : worst;
}

wire::AlikeAttempt alike_of(const db::AlikeRow& row, wire::Likeness how) {
  return {.attempt = row.attempt,
          .how = how,
          .name = short_name(row),
          .outcome = row.outcome,
          .ratio = furthest(row.best, row.worst),
          .failure = row.failure};
}

std::vector<wire::AlikeAttempt> alike_attempts(db::Connection& connection, db::AttemptId id) {
  std::vector<wire::AlikeAttempt> out;
  const auto own = db::alike_row(connection, id);
  if (!own) return out;
  // Newest first: the last time is what people remember.
  std::set<std::int64_t> earlier;
  for (const auto& [same, how] :
       {std::pair(db::SameText::patch, wire::Likeness::patch), std::pair(db::SameText::code, wire::Likeness::code)})
    for (const db::AlikeRow& row : db::earlier_alike(connection, id, same))
      if (earlier.insert(row.attempt).second) out.push_back(alike_of(row, how));
  // Of many shared failures the first by name speaks for all, the same on each attempt.
  std::set<std::int64_t> failing;
  for (const db::AlikeRow& row : db::failing_alike(connection, id))
    if (!is_related(*own, row) && failing.insert(row.attempt).second)
      out.push_back(alike_of(row, wire::Likeness::failure));
  return out;
}

void add_alike(db::Connection& connection, wire::Attempt& attempt) {
  attempt.alike = alike_attempts(connection, db::AttemptId{attempt.id});
  attempt.notices = ledger::notices_of(attempt.alike);
  attempt.alike.resize(std::min<std::size_t>(attempt.alike.size(), limits::kAlikeNamedMax));
}

}  // namespace

void narrow_to_branch(db::AttemptFilter& filter, const std::string& branch) {
  if (branch.ends_with('*'))
    filter.branch_prefix = branch.substr(0, branch.size() - 1);
  else
    filter.branch = branch;
}

std::vector<wire::Attempt> whole_attempts(db::Connection& connection, const db::AttemptFilter& filter,
                                          const db::Page& page) {
  auto out = db::list_attempts(connection, filter, page);
  for (wire::Attempt& attempt : out) add_alike(connection, attempt);
  return out;
}

Result<wire::Attempt> whole_attempt(db::Connection& connection, db::AttemptId id) {
  auto out = db::get_attempt(connection, id);
  if (out) add_alike(connection, *out);
  return out;
}

std::vector<std::string> attempt_notices(db::Connection& connection, RunId run) {
  const auto id = db::attempt_of_run(connection, run);
  if (!id) return {};
  return ledger::notices_of(alike_attempts(connection, *id));
}

Result<wire::Run> whole_run(db::Connection& connection, RunId id) {
  const auto run = db::get_run(connection, id);
  if (!run) return pass_on(run);
  wire::Run out = db::to_wire(*run);
  RunDecision decision = db::stored_decision(connection, run->reused_from.value_or(id));
  out.comparisons = std::move(decision.comparisons);
  out.workloads = std::move(decision.workloads);
  out.regions = std::move(decision.regions);
  for (std::string& notice : attempt_notices(connection, id)) out.notices.push_back(std::move(notice));
  return out;
}

}  // namespace kernelgate::service
