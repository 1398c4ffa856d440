// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rows that runs and people leave in the ledger. What becomes an attempt, and what is said of it, is decided above.
// Call inside a Database work.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "db/ledger/attempts.hpp"

namespace kernelgate::db {

// A run as the ledger sees it.
struct TriedRun {
  RunId run, judged;  // judged: the run whose verdict this one has
  RepositoryId repository;
  std::string default_branch, branch, source, commit, tree, subject, reason, summary;
  RunState state = RunState::done;
  std::optional<Conclusion> conclusion;
  std::optional<Instant> finished_at;
  AttemptFacts facts;
  bool of_pull_request = false;
};
[[nodiscard]] std::optional<TriedRun> tried_run(Connection& connection, RunId run);

struct NewAttempt {
  RepositoryId repository;
  std::string kind{}, key{}, branch{}, commit{}, subject{}, suite{}, point{}, hypothesis{};
};
// One that nobody has tried yet.
[[nodiscard]] AttemptId add_attempt(Connection& connection, const NewAttempt& one, Instant now);
[[nodiscard]] std::optional<AttemptId> find_attempt(Connection& connection, RepositoryId repository,
                                                    const std::string& key);
// The oldest idea that was noted for this branch and that no run has tried.
[[nodiscard]] std::optional<AttemptId> find_idea(Connection& connection, RepositoryId repository,
                                                 const std::string& branch);
// The idea is no idea any more but `one`.
void turn_idea(Connection& connection, AttemptId idea, const NewAttempt& one);
[[nodiscard]] ledger::Outcome outcome_of(Connection& connection, AttemptId id);

// Subject and time of the run become the attempt's, and its hypothesis where the attempt has none.
void add_attempt_run(Connection& connection, AttemptId id, const TriedRun& run);

struct AttemptVerdict {
  ledger::Outcome outcome = ledger::Outcome::not_tried;
  std::string detail, patch_id, code_sha256;
  int timed = 0, improved = 0, regressed = 0;
  std::optional<double> error_factor;
  const Comparison* best = nullptr;  // null: nothing was timed
  const Comparison* worst = nullptr;
  std::set<std::string> fingerprints;  // of failures
};
void put_verdict(Connection& connection, AttemptId id, RepositoryId repository, const AttemptVerdict& verdict);

// What people write; nothing: it stays as it is.
void put_words(Connection& connection, AttemptId id, const std::optional<std::string>& hypothesis,
               const std::optional<std::string>& lesson);

// An attempt as far as others may be like it.
struct AlikeRow {
  std::int64_t attempt = 0;
  std::string kind, branch, commit, suite, point;
  AttemptOutcome outcome = AttemptOutcome::not_tried;
  std::optional<double> best, worst;
  std::string patch_id;
  std::string failure;  // that both show, if they were found by it
};
[[nodiscard]] std::optional<AlikeRow> alike_row(Connection& connection, AttemptId id);
// Those of the same repository (by its address: a store may know it under several names) that show a failure of this
// one, once for each, oldest first.
[[nodiscard]] std::vector<AlikeRow> failing_alike(Connection& connection, AttemptId id);
// Earlier ones of the same repository with the same change or machine code, newest first.
enum class SameText { patch, code };
[[nodiscard]] std::vector<AlikeRow> earlier_alike(Connection& connection, AttemptId id, SameText same);

// "case class value" of a stored fingerprint, which begins with a hash.
[[nodiscard]] std::string failure_text(const std::string& fingerprint);

}  // namespace kernelgate::db
