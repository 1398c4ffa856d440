// SPDX-License-Identifier: Apache-2.0
#include "service/ledger/attempt_record.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "db/baselines/sessions.hpp"
#include "db/ledger/attempt_rows.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::service {
namespace {

using ledger::Outcome;

// Empty: no attempt. Runs that judge nobody's new idea are none, whatever their branch.
std::string kind_of(const db::TriedRun& tried) {
  constexpr std::array<std::string_view, 3> kNever{db::kSessionSource, "bisect", "backfill"};
  if (std::find(kNever.begin(), kNever.end(), tried.source) != kNever.end()) return {};
  if (!tried.facts.point.empty()) return "point";
  if (tried.source == "work-tree") return "work_tree";
  // Where nobody named a branch, a hypothesis says that this was meant as a try.
  if (tried.of_pull_request) return "commit";  // a fork's branch may be called main too
  if (tried.branch.empty()) return tried.facts.hypothesis.empty() ? "" : "commit";
  return tried.branch == tried.default_branch ? "" : "commit";
}

std::string point_key(const std::string& suite, const std::string& commit, const std::string& point) {
  return "point " + suite + " " + commit + " " + point;
}

std::string key_of(const db::TriedRun& tried, const std::string& kind) {
  if (kind == "point") return point_key(tried.facts.suite, tried.commit, tried.facts.point);
  if (kind == "work_tree" && !tried.tree.empty()) return "tree " + tried.tree;
  return "commit " + tried.branch + " " + tried.commit;
}

std::string program_of(const std::vector<KernelCode>& code, const std::string& program) {
  if (code.empty()) return program;
  std::set<std::string> kernels;
  for (const KernelCode& kernel : code) kernels.insert(kernel.kernel + "\n" + kernel.arch + "\n" + kernel.sass_sha256);
  Sha256 hash;
  for (const std::string& kernel : kernels) hash.field(kernel);
  return hash.hex();
}

// One hash of all device code, or of the executables where there is none. Empty where some are not known, or where
// base has the same: then it tells nothing.
std::string code_of(db::Connection& connection, RunId run) {
  const auto documents = db::get_documents(connection, run);
  if (!documents) return {};
  const auto evidence = wire::decode<RunEvidence>(documents->evidence);
  if (!evidence || evidence->suites.empty()) return {};
  std::map<std::string, std::string> programs;
  bool changed = false;
  for (const SuiteEvidence& suite : evidence->suites) {
    const std::string head = program_of(suite.head_code, suite.head_program);
    if (head.empty()) return {};
    changed = changed || head != program_of(suite.base_code, suite.base_program);
    programs[suite.name] = head;
  }
  if (!changed) return {};
  Sha256 hash;
  for (const auto& [suite, program] : programs) hash.field(suite).field(program);
  return hash.hex();
}

// What the ledger keeps of a verdict.
struct Verdicts {
  std::vector<Comparison> comparisons;
  db::AttemptVerdict row;  // points into them
};

void add_figures(const std::vector<Comparison>& comparisons, db::AttemptVerdict& out) {
  for (const Comparison& one : comparisons) {
    if (!one.fingerprint.empty() && out.fingerprints.size() < limits::kFailuresPerAttemptMax)
      out.fingerprints.insert(one.fingerprint);
    if (!one.ratio || !std::isfinite(*one.ratio)) continue;
    ++out.timed;
    if (one.error_factor && std::isfinite(*one.error_factor))
      out.error_factor = std::max(out.error_factor.value_or(0), *one.error_factor);
    if (!one.quarantined.empty()) continue;
    if (out.best == nullptr || *one.ratio < *out.best->ratio) out.best = &one;
    if (out.worst == nullptr || *one.ratio > *out.worst->ratio) out.worst = &one;
    out.improved += one.verdict == Verdict::improved ? 1 : 0;
    out.regressed += one.verdict == Verdict::regressed ? 1 : 0;
  }
}

Verdicts verdicts_of(db::Connection& connection, const db::TriedRun& tried) {
  Verdicts out;
  if (!tried.conclusion) {
    out.row.outcome = tried.reason.starts_with("superseded") ? Outcome::superseded : Outcome::cancelled;
    out.row.detail = tried.reason;
    return out;
  }
  RunDecision decision;
  decision.conclusion = *tried.conclusion;
  decision.reason = tried.reason;
  decision.summary = tried.summary;
  decision.comparisons = db::list_comparisons(connection, tried.judged);
  ledger::Judged judged = ledger::judge_attempt(decision);
  if (tried.facts.is_reference && ledger::is_judged(judged.outcome) && !ledger::is_failure(judged.outcome))
    judged = {Outcome::reference, "what the other points are compared with"};
  out.row.outcome = judged.outcome;
  out.row.detail = std::move(judged.text);
  out.comparisons = std::move(decision.comparisons);
  add_figures(out.comparisons, out.row);
  return out;
}

// An idea that was noted for this branch is tried by the branch's first run.
std::optional<db::AttemptId> take_idea(db::Connection& connection, const db::NewAttempt& one) {
  if (one.branch.empty() || one.kind == "point") return std::nullopt;
  const auto idea = db::find_idea(connection, one.repository, one.branch);
  if (idea) db::turn_idea(connection, *idea, one);
  return idea;
}

db::AttemptId attempt_for(db::Connection& connection, const db::TriedRun& tried, const std::string& kind, Instant now) {
  const db::NewAttempt one{.repository = tried.repository,
                           .kind = kind,
                           .key = key_of(tried, kind),
                           .branch = kind == "point" ? std::string() : tried.branch,
                           .commit = tried.commit,
                           .subject = tried.subject,
                           .suite = tried.facts.suite,
                           .point = tried.facts.point,
                           .hypothesis = tried.facts.hypothesis};
  if (const auto known = db::find_attempt(connection, one.repository, one.key)) return *known;
  if (const auto idea = take_idea(connection, one)) return *idea;
  return db::add_attempt(connection, one, now);
}

void add_run(db::Connection& connection, db::AttemptId id, const db::TriedRun& tried) {
  db::add_attempt_run(connection, id, tried);
  Verdicts verdicts = verdicts_of(connection, tried);
  // Trouble and cancelled runs leave an earlier judgement as it is.
  if (!ledger::is_judged(verdicts.row.outcome) && ledger::is_judged(db::outcome_of(connection, id))) return;
  verdicts.row.patch_id = tried.facts.patch_id;
  verdicts.row.code_sha256 = code_of(connection, tried.judged);
  db::put_verdict(connection, id, tried.repository, verdicts.row);
}

}  // namespace

void record_attempt(db::Connection& connection, RunId run) {
  const auto tried = db::tried_run(connection, run);
  if (!tried || !is_finished(tried->state) || !tried->finished_at) return;
  const auto known = db::attempt_of_run(connection, run);
  if (known) return;
  std::string kind = kind_of(*tried);
  if (kind.empty() && db::find_attempt(connection, tried->repository, key_of(*tried, "commit"))) kind = "commit";
  if (kind.empty()) return;
  add_run(connection, attempt_for(connection, *tried, kind, *tried->finished_at), *tried);
}

db::AttemptId force_attempt(db::Connection& connection, RunId run, Instant now) {
  if (const auto known = db::attempt_of_run(connection, run)) return *known;
  const auto tried = db::tried_run(connection, run);
  if (!tried) throw db::DbError(Error{Errc::corrupt, "a run without a commit", {}, {}});
  const std::string kind = kind_of(*tried);
  const db::AttemptId id = attempt_for(connection, *tried, kind.empty() ? "commit" : kind, now);
  if (is_finished(tried->state) && tried->finished_at) add_run(connection, id, *tried);
  return id;
}

void plan_points(db::Connection& connection, const PlannedPoints& planned, Instant now) {
  for (const std::string& point : planned.points) {
    const std::string key = point_key(planned.suite, planned.commit, point);
    if (db::find_attempt(connection, planned.repository, key)) continue;
    (void)db::add_attempt(connection,
                          {.repository = planned.repository,
                           .kind = "point",
                           .key = key,
                           .commit = planned.commit,
                           .suite = planned.suite,
                           .point = point},
                          now);
  }
}

}  // namespace kernelgate::service
