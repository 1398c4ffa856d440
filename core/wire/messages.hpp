// SPDX-License-Identifier: Apache-2.0
#pragma once

// What travels between trigger, server and runner, as plain structs. codec.hpp turns them into JSON
// and back; docs/API.md is the page for people. Field names in JSON are the member names here.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"
#include "core/units/enum_words.hpp"
#include "core/units/time.hpp"

namespace kernelgate::wire {

using kernelgate::to_string;

// How base is found (DESIGN section 1). `argument`: a commit, a ref or a branch, as the kind says.
enum class BaseKind {
  explicit_commit,  // --base: argument is a commit or ref
  before,           // push to the default branch: argument is the tip before the push
  merge_base,       // pull request or other branch: argument is the target or default branch
  first_parent,     // post-commit
  none,             // a session of a baseline: head is timed alone, argument: in how many processes
};
void spelled_as_named(BaseKind);

struct BaseRequest {
  BaseKind kind = BaseKind::first_parent;
  std::string argument;
};

// Facts of the commits that the caller computed with git; lets the server answer at once what was
// already judged.
struct KnownTrees {
  std::string base_commit, base_tree, head_tree;
  std::string manifest_sha256;  // of base's manifest text: the effective manifest
};

// The pull request that a run judges.
struct PullRequest {
  std::int64_t number = 0;
  std::string target;           // branch that it is to be merged into
  std::string head_repository;  // owner/name of the repository that head lives in
  bool fork = false;            // that is another one than the watched: held, and built apart from trusted code
  std::string sender;           // login of who caused the run
};

struct Trigger {
  std::string repository;  // registered name
  std::string commit;      // full hash of head
  std::string branch;
  std::string subject;  // first line of the commit message
  std::string author;
  BaseRequest base;
  std::string source;  // cli, post-commit, pre-push, push, post-receive, retry, webhook
  std::optional<KnownTrees> trees;
  bool force = false;           // measure even if already judged
  std::string idempotency_key;  // same key, same run; empty: repository + commit + base request
  std::string hypothesis{};     // of the commit's trailer; may be empty
  std::optional<PullRequest> pull_request{};
};
struct TriggerReply {
  std::int64_t run = 0;
  RunState state = RunState::queued;
  std::optional<std::int64_t> reused_from;
  std::string url;
};

// What makes times comparable. The hash of `facts` is the epoch's key.
struct TestbedFacts {
  std::string name;  // the testbed's name, from the runner's configuration
  std::string gpu_model, compute_capability, driver, toolkit, power_limit, mig_mode, host_cpu;
};

struct ClaimRequest {
  std::string runner;
  TestbedFacts testbed;
  bool has_gpu = false;
  int wait_s = 0;  // long poll
};
struct Claim {
  std::int64_t run = 0;
  std::string lease;  // secret of this claim: sent back with every report
  int lease_s = 0;
  std::string repository, url, default_branch;
  std::string commit;
  BaseRequest base;
  std::string manifest;  // registered on the server; empty: from the tree
  std::uint64_t seed = 0;
  std::int64_t epoch = 0;
  std::vector<StoredVariance> stored;    // of this repository and epoch
  std::vector<std::string> bad_commits;  // bases known to be broken or not to build
  std::vector<std::string> baselines;    // commits of promoted baselines, newest first: base where no ancestor will do
  std::vector<StoredSessions> sessions{};  // of the promoted baseline, for runs against it
  std::string anchor{};                    // commit of the anchored baseline (a release); may be empty
  std::vector<std::string> process_ids;    // already stored for this run, after a lost runner (their data is kept)
  bool fork = false;                       // head is untrusted: what is built of it stays out of the trusted cache
};

struct Heartbeat {
  std::string lease;
  RunState state = RunState::claimed;  // one of work
  std::string progress;                // "bsr_gemm: pair 3 of 16, 4 benchmarks open"
};
struct HeartbeatReply {
  bool cancel = false;
};

// Sent once base is known. The reply may say that the verdict is already stored.
struct Resolved {
  std::string lease;
  std::string base_commit;  // empty: there is none
  std::string base_tree, head_tree;
  std::string manifest_sha256;
  std::string policy;  // canonical_text
  std::string subject, author;
  std::vector<std::string> notices;
  std::string hypothesis{};  // of head's trailer; may be empty
  std::string patch_id{};    // of head against base: git's, the same wherever the same lines change; empty: no change
  std::string sandbox{};     // "none": measured without one; empty: in one
};
struct ResolvedReply {
  std::optional<std::int64_t> reused_from;  // then the run is done
};

struct ProcessUpload {
  std::string lease;
  std::vector<Process> processes;
};
struct UploadReply {
  std::int64_t stored = 0;  // processes that were new
};
struct LogUpload {
  std::string lease;
  std::string name;  // build-base, build-head, check-head …
  std::string text;
};
// Ends the run. The server takes the evidence without processes, adds its stored ones, and decides.
struct Finish {
  std::string lease;
  RunEvidence evidence;              // suites carry no processes
  std::string policy_toml_manifest;  // base's manifest text: the server parses the policy from it
  double gpu_s_held = 0, gpu_s_used = 0, wall_s = 0;
};
struct FinishReply {
  RunDecision decision;
};
struct Release {  // gives the job back: the runner is stopping or unhealthy
  std::string lease;
  std::string reason;
};

// What a page shows of a whole run beside its parts; each is decided here, so that no reader decides again.
struct VerdictCount {
  Verdict verdict = Verdict::unchanged;
  int count = 0;
  bool failure = false;  // the kernel does not work
};
struct PolicyBand {  // the policy's, without what it says of single benchmarks
  double tolerate = 0, catch_limit = 0;
};

struct Run {
  std::int64_t id = 0;
  std::string repository, commit, base_commit, branch, subject, author, source;
  RunState state = RunState::queued;
  std::optional<Conclusion> conclusion;  // none while not finished, and of a cancelled run
  std::string reason, summary, progress, testbed;
  std::int64_t epoch = 0;
  Instant created_at{};
  std::optional<Instant> started_at, finished_at;
  std::optional<std::int64_t> reused_from, retry_of;
  std::optional<Instant> thinned_at;  // when its samples became quantiles; absent: every sample is kept
  int claims = 0;
  int exit_code = -1;  // -1 while not finished
  std::string commit_status;
  double gpu_s_held = 0, gpu_s_used = 0, wall_s = 0;
  std::vector<std::string> notices;
  // Only where one run is asked for:
  std::vector<Comparison> comparisons;
  std::vector<WorkloadResult> workloads{};
  std::vector<RegionResult> regions{};
  std::string headline{};                // one sentence
  std::vector<VerdictCount> verdicts{};  // of the comparisons, in reading order
  std::optional<PolicyBand> band{};      // absent: nothing was judged
  // Of every run:
  std::optional<PullRequest> pull_request{};
  std::optional<std::int64_t> superseded_by{};  // cancelled, because a newer push made this run
  // Head over base of what regressed most, else of what improved most; absent: neither.
  std::optional<double> largest_ratio{};
};

struct RunPage {
  std::vector<Run> runs;            // newest first, without comparisons
  std::optional<std::string> next;  // value of `before` for the next page
};

// Registers a repository, and what the server knows of it.
struct RepositoryRequest {
  std::string name;
  std::string url;  // what runners fetch from
  std::string default_branch;
  std::string manifest;     // TOML text that wins over the tree's; may be empty
  std::string full_name{};  // owner/name at its forge; empty: as its URL says
};
struct Repository {
  std::int64_t id = 0;
  std::string name, url, default_branch;
  std::string manifest_sha256;  // of the registered manifest; empty: the tree's counts
  std::string full_name{};      // owner/name at its forge, given or read from the URL; empty: unknown
};

// A repository's own secret for its webhooks; shown this once.
struct WebhookSecret {
  std::string path;  // to which the forge sends them
  std::string secret;
};

struct RepositoryPage {
  std::vector<Repository> repositories;
  std::optional<std::string> next;
};

// RFC 9457. `code` is the name of an Errc; `fix` says how to fix it.
struct Problem {
  std::string type = "about:blank";
  std::string title;
  int status = 0;
  std::string detail;
  std::string where;  // member, parameter or thing that is meant
  std::string code;
  std::string fix;
};

}  // namespace kernelgate::wire
