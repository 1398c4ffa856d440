// SPDX-License-Identifier: Apache-2.0
// Triggers and what people read: triggers, runs, repositories, problem documents.
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<BaseRequest> M>
void fields(V& v, M& m) {
  v.must("kind", m.kind);
  v.may("argument", m.argument);
}

template <class V, Describes<KnownTrees> M>
void fields(V& v, M& m) {
  v.must("base_commit", m.base_commit);
  v.must("base_tree", m.base_tree);
  v.must("head_tree", m.head_tree);
  v.must("manifest_sha256", m.manifest_sha256);
}

template <class V, Describes<PullRequest> M>
void fields(V& v, M& m) {
  v.must("number", m.number);
  v.range("number", m.number, 1, std::numeric_limits<std::int64_t>::max());
  v.may("target", m.target);
  v.may("head_repository", m.head_repository);
  v.may("fork", m.fork);
  v.may("sender", m.sender);
}

template <class V, Describes<Trigger> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("commit", m.commit);
  v.may("branch", m.branch);
  v.may("subject", m.subject);
  v.may("author", m.author);
  v.may("base", m.base);
  v.may("source", m.source);
  v.may("trees", m.trees);
  v.may("force", m.force);
  v.may("idempotency_key", m.idempotency_key);
  v.may("hypothesis", m.hypothesis);
  v.may("pull_request", m.pull_request);
}

template <class V, Describes<TriggerReply> M>
void fields(V& v, M& m) {
  v.must("run", m.run);
  v.must("state", m.state);
  v.may("reused_from", m.reused_from);
  v.may("url", m.url);
}

template <class V, Describes<Run> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("repository", m.repository);
  v.must("commit", m.commit);
  v.may("base_commit", m.base_commit);
  v.may("branch", m.branch);
  v.may("subject", m.subject);
  v.may("author", m.author);
  v.may("source", m.source);
  v.must("state", m.state);
  v.may("conclusion", m.conclusion);
  v.may("reason", m.reason);
  v.may("summary", m.summary);
  v.may("progress", m.progress);
  v.may("testbed", m.testbed);
  v.may("epoch", m.epoch);
  v.may("created_at", m.created_at);
  v.may("started_at", m.started_at);
  v.may("finished_at", m.finished_at);
  v.may("reused_from", m.reused_from);
  v.may("retry_of", m.retry_of);
  v.may("thinned_at", m.thinned_at);
  v.may("claims", m.claims);
  v.must("exit_code", m.exit_code);
  v.may("commit_status", m.commit_status);
  v.may("gpu_s_held", m.gpu_s_held);
  v.may("gpu_s_used", m.gpu_s_used);
  v.may("wall_s", m.wall_s);
  v.may("notices", m.notices);
  v.may("comparisons", m.comparisons);
  v.may("workloads", m.workloads);
  v.may("regions", m.regions);
  v.may("pull_request", m.pull_request);
  v.may("superseded_by", m.superseded_by);
}

template <class V, Describes<RunPage> M>
void fields(V& v, M& m) {
  v.must("runs", m.runs);
  v.may("next", m.next);
}

template <class V, Describes<RepositoryRequest> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("url", m.url);
  v.may("default_branch", m.default_branch);
  v.may("manifest", m.manifest);
  v.may("full_name", m.full_name);
}

template <class V, Describes<Repository> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("name", m.name);
  v.must("url", m.url);
  v.must("default_branch", m.default_branch);
  v.may("manifest_sha256", m.manifest_sha256);
  v.may("full_name", m.full_name);
}

template <class V, Describes<Problem> M>
void fields(V& v, M& m) {
  v.may("type", m.type);
  v.must("title", m.title);
  v.must("status", m.status);
  v.may("detail", m.detail);
  v.may("where", m.where);
  v.may("code", m.code);
  v.may("fix", m.fix);
}

void read(const Json& json, const JsonPath& place, BaseRequest& out) { read_fields(json, place, out); }
void write(Json& out, const JsonPath& place, const BaseRequest& value) { write_fields(out, place, value); }

KG_WIRE_CODEC(BaseRequest);
KG_WIRE_CODEC(KnownTrees);
KG_WIRE_CODEC(PullRequest);
KG_WIRE_CODEC(Trigger);
KG_WIRE_CODEC(TriggerReply);
KG_WIRE_CODEC(Run);
KG_WIRE_CODEC(RunPage);
KG_WIRE_CODEC(RepositoryRequest);
KG_WIRE_CODEC(Repository);
KG_WIRE_CODEC(Problem);

}  // namespace kernelgate::wire
