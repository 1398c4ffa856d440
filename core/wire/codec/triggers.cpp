// SPDX-License-Identifier: Apache-2.0
// Triggers and what people read: triggers, runs, repositories, problem documents.
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<BaseRequest> M>
void fields(V& v, M& m) {
  v.about("kind is explicit_commit, before, merge_base or first_parent; in a claim also none");
  v.must("kind", m.kind);
  v.may("argument", m.argument);
}

template <class V, Describes<KnownTrees> M>
void fields(V& v, M& m) {
  v.must("base_commit", m.base_commit);
  v.must("base_tree", m.base_tree);
  v.must("head_tree", m.head_tree);
  v.must("manifest_sha256", m.manifest_sha256, "of base's manifest text: the effective manifest");
}

template <class V, Describes<PullRequest> M>
void fields(V& v, M& m) {
  v.about("The pull request that a run judges; a fork's run is held until it is approved");
  v.must("number", m.number);
  v.range("number", m.number, 1, std::numeric_limits<std::int64_t>::max());
  v.may("target", m.target, "branch that it is to be merged into");
  v.may("head_repository", m.head_repository, "owner/name of the repository that head lives in");
  v.may("fork", m.fork, "that is another one than the watched: held, and built apart from trusted code");
  v.may("sender", m.sender, "login of who caused the run");
}

template <class V, Describes<Trigger> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository, "registered name");
  v.must("commit", m.commit, "full hash of head");
  v.may("branch", m.branch);
  v.may("subject", m.subject, "first line of the commit message");
  v.may("author", m.author);
  v.may("base", m.base, "how base is found; default first_parent");
  v.may("source", m.source, "cli, post-commit, pre-push, push (one that does not wait), post-receive, retry, webhook");
  v.may("trees", m.trees, "what the caller found out with git");
  v.may("force", m.force, "measure even if already judged");
  v.may("idempotency_key", m.idempotency_key, "same key, same run; empty: repository + commit + base request");
  v.may("hypothesis", m.hypothesis,
        "of the commit's trailer Hypothesis, for the ledger of attempts; 2,000 bytes are kept");
  v.may("pull_request", m.pull_request, "what the commit is meant for; with fork the run is held");
}

template <class V, Describes<TriggerReply> M>
void fields(V& v, M& m) {
  v.must("run", m.run);
  v.must("state", m.state);
  v.may("reused_from", m.reused_from);
  v.may("url", m.url);
}

template <class V, Describes<VerdictCount> M>
void fields(V& v, M& m) {
  v.must("verdict", m.verdict);
  v.must("count", m.count);
  v.must("failure", m.failure, "the kernel does not work");
}

template <class V, Describes<PolicyBand> M>
void fields(V& v, M& m) {
  v.must("tolerate", m.tolerate);
  v.must("catch_limit", m.catch_limit);
}

template <class V, Describes<Run> M>
void fields(V& v, M& m) {
  v.about("exit_code is -1 while the run is not finished");
  v.must("id", m.id);
  v.must("repository", m.repository);
  v.must("commit", m.commit);
  v.may("base_commit", m.base_commit);
  v.may("branch", m.branch);
  v.may("subject", m.subject);
  v.may("author", m.author);
  v.may("source", m.source);
  v.must("state", m.state);
  v.blank("conclusion", m.conclusion, "empty until finished, and of a cancelled run");
  v.may("reason", m.reason);
  v.may("summary", m.summary);
  v.may("progress", m.progress);
  v.may("testbed", m.testbed);
  v.may("epoch", m.epoch);
  v.may("created_at", m.created_at);
  v.blank("started_at", m.started_at);
  v.blank("finished_at", m.finished_at);
  v.may("reused_from", m.reused_from);
  v.may("retry_of", m.retry_of);
  v.may("thinned_at", m.thinned_at, "when its samples became quantiles; absent: every sample is kept");
  v.may("claims", m.claims, "how often a runner took it");
  v.must("exit_code", m.exit_code, "-1 while not finished");
  v.may("commit_status", m.commit_status, "success, failure, error");
  v.may("gpu_s_held", m.gpu_s_held);
  v.may("gpu_s_used", m.gpu_s_used);
  v.may("wall_s", m.wall_s);
  v.may("notices", m.notices);
  v.may("comparisons", m.comparisons);
  v.may("workloads", m.workloads);
  v.may("regions", m.regions);
  v.may("headline", m.headline);
  v.may("verdicts", m.verdicts, "how often each was given, in reading order");
  v.may("band", m.band, "of its policy");
  v.may("pull_request", m.pull_request, "the pull request that it judges");
  v.may("superseded_by", m.superseded_by, "cancelled, because a newer push made this run");
  v.may("largest_ratio", m.largest_ratio,
        "head over base of what regressed most, else of what improved most; absent: neither");
}

template <class V, Describes<RunPage> M>
void fields(V& v, M& m) {
  v.must("runs", m.runs, "newest first, without comparisons");
  v.may("next", m.next, "value of `before` for the next page");
}

template <class V, Describes<RepositoryRequest> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("url", m.url, "what runners fetch from");
  v.may("default_branch", m.default_branch);
  v.may("manifest", m.manifest, "TOML text that wins over the tree's; may be empty");
  v.may("full_name", m.full_name, "owner/name at its forge; empty: as its URL says");
}

template <class V, Describes<Repository> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("name", m.name);
  v.must("url", m.url);
  v.must("default_branch", m.default_branch);
  v.may("manifest_sha256", m.manifest_sha256, "of the registered manifest; empty: the tree's counts");
  v.may("full_name", m.full_name, "owner/name at its forge, given or read from the URL; empty: unknown");
}

template <class V, Describes<WebhookSecret> M>
void fields(V& v, M& m) {
  v.must("path", m.path, "to which the forge sends its webhooks");
  v.must("secret", m.secret, "shown this once");
}

template <class V, Describes<RepositoryPage> M>
void fields(V& v, M& m) {
  v.must("repositories", m.repositories);
  v.may("next", m.next);
}

template <class V, Describes<Problem> M>
void fields(V& v, M& m) {
  v.may("type", m.type);
  v.must("title", m.title);
  v.must("status", m.status);
  v.may("detail", m.detail);
  v.may("where", m.where, "member, parameter or thing that is meant");
  v.may("code", m.code);
  v.may("fix", m.fix);
}

KG_WIRE_SHARED(BaseRequest);
KG_WIRE_CODEC(KnownTrees);
KG_WIRE_CODEC(PullRequest);
KG_WIRE_CODEC(Trigger);
KG_WIRE_CODEC(TriggerReply);
KG_WIRE_SHARED(VerdictCount);
KG_WIRE_SHARED(Run);
KG_WIRE_CODEC(RunPage);
KG_WIRE_CODEC(RepositoryRequest);
KG_WIRE_CODEC(Repository);
KG_WIRE_CODEC(WebhookSecret);
KG_WIRE_CODEC(RepositoryPage);
KG_WIRE_CODEC(Problem);

}  // namespace kernelgate::wire
