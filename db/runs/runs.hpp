// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs: head against base on one testbed, from trigger to conclusion. A finished run never changes:
// every function that would change one answers conflict. Call inside a Database work.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "core/units/limits.hpp"
#include "core/wire/messages.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

// Whose code head is. What is built of a fork's stays out of the trusted cache, and its run waits for approval.
enum class Trust { trusted, fork };
[[nodiscard]] std::string_view to_string(Trust trust);

struct NewRun {
  RepositoryId repository;
  std::string commit{};  // full hash of head
  std::string branch{}, subject{}, author{};
  wire::BaseRequest base{};
  std::string source{};
  std::string idempotency_key{};  // not empty; the same key of a repository is the same run
  std::uint64_t seed = 0;
  bool force = false;  // measure even if already judged
  std::optional<RunId> retry_of{};
  bool queued = true;  // false: a local run, claimed by its maker; no job
  int queued_max = limits::kQueuedRunsMax;
  std::optional<wire::PullRequest> pull_request{};
  bool held = false;                   // no job until approve_run
  std::optional<Instant> pushed_at{};  // by the forge's clock
};

struct AddedRun {
  RunId id;
  bool is_new = true;  // false: the idempotency key was known; nothing was written
};

// too_many: the repository has queued_max runs queued, or kHeldRunsMax held.
[[nodiscard]] Result<AddedRun> add_run(Connection& connection, const NewRun& run, Instant now);

struct Run {
  RunId id;
  RepositoryId repository_id;
  std::string repository, commit, head_tree, base_commit, base_tree, branch, subject, author, source;
  wire::BaseRequest base;
  RunState state = RunState::queued;
  std::optional<Conclusion> conclusion;  // none while unfinished, and for a cancelled run
  std::string reason, summary, progress, runner, testbed;
  std::optional<EpochId> epoch;
  std::uint64_t seed = 0;
  int generation = 0;  // of the lease that works or worked on it; processes of earlier ones are superseded
  int claims = 0;
  bool force = false;
  std::string idempotency_key, judged_key, manifest_sha256, policy;
  std::string sandbox;  // "none": measured without one; empty: in one
  Trust trust = Trust::trusted;
  Instant created_at{};
  std::optional<Instant> started_at, finished_at;
  std::optional<Instant> thinned_at;  // when its samples became quantiles
  std::optional<RunId> reused_from, retry_of;
  std::optional<int> exit_code;
  double gpu_s_held = 0, gpu_s_used = 0, wall_s = 0;
  std::vector<std::string> notices;
  std::optional<wire::PullRequest> pull_request;
  std::optional<RunId> superseded_by;  // cancelled for a newer push's run
  std::optional<double> largest_ratio;
};

[[nodiscard]] inline std::optional<std::int64_t> number_of(const std::optional<wire::PullRequest>& pull_request) {
  return pull_request ? std::optional(pull_request->number) : std::nullopt;
}

[[nodiscard]] Result<Run> get_run(Connection& connection, RunId id);
// Without comparisons; the API adds those of the run itself, or of the one it was reused from.
[[nodiscard]] wire::Run to_wire(const Run& run);

struct RunFilter {
  std::optional<RepositoryId> repository{};
  std::string commit{};   // hash of head, or its first digits; empty: any
  std::string testbed{};  // name; empty: any
  std::string branch{};
  std::optional<RunState> state{};
  std::optional<Conclusion> conclusion{};
  bool unfinished_only = false;
  std::optional<std::int64_t> pull_request{};
};
[[nodiscard]] std::vector<Run> list_runs(Connection& connection, const RunFilter& filter, const Page& page = {});

// A held run becomes queued. conflict: it is not held.
[[nodiscard]] Status approve_run(Connection& connection, RunId id);

// Of the newest judged run of the repository's default branch; none: nothing there was judged yet.
[[nodiscard]] std::optional<Conclusion> newest_conclusion(Connection& connection, RepositoryId repository);

// Progress of an unfinished run; `state` is claimed to deciding.
[[nodiscard]] Status set_progress(Connection& connection, RunId id, RunState state, std::string_view progress);

// Known once base is: also fills the trees of the two commits, and the subject and author of head.
struct ResolvedRun {
  std::string base_commit;  // empty: there is none
  std::string base_tree, head_tree, subject, author;
  std::string manifest_sha256, policy;  // base's effective manifest; policy as canonical_text
  std::string sandbox;                  // "none": measured without one
  int rule_version = 0;
  std::string judged_key;
  std::optional<EpochId> epoch;      // none: keep the one of the claim
  std::vector<std::string> notices;  // added to those the run has
};
[[nodiscard]] Status set_resolved(Connection& connection, RunId id, const ResolvedRun& resolved);
[[nodiscard]] Status set_epoch(Connection& connection, RunId id, EpochId epoch, std::string_view runner);

// The evidence (without processes) and decision as JSON, as finish_run encoded them.
struct RunDocuments {
  std::string evidence, decision;
};

struct FinishedRun {
  RunState state = RunState::done;  // done, or aborted (then the conclusion is infrastructure)
  RunDecision decision;
  RunEvidence evidence;                   // without processes: they have rows of their own
  std::vector<std::string> notices;       // of the run, beside the decision's
  std::optional<RunDocuments> encoded{};  // of the two, by who did that before taking the writer
  double gpu_s_held = 0, gpu_s_used = 0, wall_s = 0;
};
[[nodiscard]] RunDocuments encode_documents(const FinishedRun& finished);
// Writes conclusion, notices, comparisons, checks, documents and history points, and ends the job,
// in the caller's transaction.
[[nodiscard]] Status finish_run(Connection& connection, RunId id, const FinishedRun& finished, Instant now);

// Finishes a run with the conclusion of an earlier one.
[[nodiscard]] Status finish_reused(Connection& connection, RunId id, RunId original, Instant now);

// Ends a queued or working run without a conclusion; its lease is lost.
[[nodiscard]] Status cancel_run(Connection& connection, RunId id, std::string_view reason, Instant now);

// not_found: the run ended without a decision of its own, or goes on.
[[nodiscard]] Result<RunDocuments> get_documents(Connection& connection, RunId id);

// The run that a new one with this judged key may reuse: done; passed, regressed, broken or
// build_failed; itself measured.
[[nodiscard]] std::optional<RunId> find_judged(Connection& connection, std::string_view judged_key);

// The same by the parts of the key that a trigger can know; the policy follows from the manifest
// and rule version, and what was measured without a sandbox is left out.
struct JudgedParts {
  RepositoryId repository;
  std::string base_tree, head_tree, manifest_sha256;
  int rule_version = 0;
  EpochId epoch;
};
[[nodiscard]] std::optional<RunId> find_judged(Connection& connection, const JudgedParts& parts);

}  // namespace kernelgate::db
