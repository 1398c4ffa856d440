// SPDX-License-Identifier: Apache-2.0
// Jobs: what a runner and the server tell each other about one claimed run.
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<TestbedFacts> M>
void fields(V& v, M& m) {
  v.must("name", m.name, "the testbed's name, from the runner's configuration");
  v.may("gpu_model", m.gpu_model);
  v.may("compute_capability", m.compute_capability);
  v.may("driver", m.driver);
  v.may("toolkit", m.toolkit);
  v.may("power_limit", m.power_limit);
  v.may("mig_mode", m.mig_mode);
  v.may("host_cpu", m.host_cpu);
}

template <class V, Describes<ClaimRequest> M>
void fields(V& v, M& m) {
  v.must("runner", m.runner);
  v.must("testbed", m.testbed);
  v.may("has_gpu", m.has_gpu);
  v.may("wait_s", m.wait_s, "long poll");
}

template <class V, Describes<Claim> M>
void fields(V& v, M& m) {
  v.must("run", m.run);
  v.must("lease", m.lease, "secret of this claim: sent back with every report");
  v.must("lease_s", m.lease_s);
  v.must("repository", m.repository);
  v.must("url", m.url);
  v.may("default_branch", m.default_branch);
  v.must("commit", m.commit);
  v.must("base", m.base);
  v.may("manifest", m.manifest, "registered on the server; empty: from the tree");
  v.must("seed", m.seed);
  v.may("epoch", m.epoch);
  v.may("stored", m.stored, "of this repository and epoch");
  v.may("bad_commits", m.bad_commits, "bases known to be broken or not to build");
  v.may("baselines", m.baselines, "commits of promoted baselines, newest first: base where no ancestor will do");
  v.may("sessions", m.sessions, "of the promoted baseline, for runs against it");
  v.may("anchor", m.anchor, "commit of the anchored baseline (a release); may be empty");
  v.may("process_ids", m.process_ids, "already stored for this run, after a lost runner (their data is kept)");
  v.may("fork", m.fork, "head is untrusted: what is built of it stays out of the trusted cache");
}

template <class V, Describes<Heartbeat> M>
void fields(V& v, M& m) {
  v.must("lease", m.lease);
  v.must("state", m.state, "claimed, building, checking, measuring or deciding");
  v.may("progress", m.progress, "\"bsr_gemm: pair 3 of 16, 4 benchmarks open\"");
}

template <class V, Describes<HeartbeatReply> M>
void fields(V& v, M& m) {
  v.may("cancel", m.cancel);
}

template <class V, Describes<Resolved> M>
void fields(V& v, M& m) {
  v.must("lease", m.lease);
  v.must("base_commit", m.base_commit, "empty: there is none");
  v.must("base_tree", m.base_tree);
  v.must("head_tree", m.head_tree);
  v.must("manifest_sha256", m.manifest_sha256);
  v.must("policy", m.policy, "canonical_text");
  v.may("subject", m.subject);
  v.may("author", m.author);
  v.may("notices", m.notices);
  v.may("hypothesis", m.hypothesis, "of head's trailer; may be empty");
  v.may("patch_id", m.patch_id,
        "of head against base: git's, the same wherever the same lines change; empty: no change");
  v.may("sandbox", m.sandbox, "none: measured without one; empty: in one");
}

template <class V, Describes<ResolvedReply> M>
void fields(V& v, M& m) {
  v.may("reused_from", m.reused_from, "then the run is done");
}

template <class V, Describes<ProcessUpload> M>
void fields(V& v, M& m) {
  v.must("lease", m.lease);
  v.must("processes", m.processes);
}

template <class V, Describes<UploadReply> M>
void fields(V& v, M& m) {
  v.must("stored", m.stored, "processes that were new");
}

template <class V, Describes<LogUpload> M>
void fields(V& v, M& m) {
  v.must("lease", m.lease);
  v.must("name", m.name, "build-base, build-head, check-head …");
  v.must("text", m.text);
}

template <class V, Describes<Finish> M>
void fields(V& v, M& m) {
  v.about("evidence is a RunEvidence whose suites carry no processes");
  v.must("lease", m.lease);
  v.must("evidence", m.evidence, "suites carry no processes");
  v.may("policy_toml_manifest", m.policy_toml_manifest, "base's manifest text: the server parses the policy from it");
  v.may("gpu_s_held", m.gpu_s_held);
  v.may("gpu_s_used", m.gpu_s_used);
  v.may("wall_s", m.wall_s);
}

template <class V, Describes<FinishReply> M>
void fields(V& v, M& m) {
  v.must("decision", m.decision);
}

template <class V, Describes<Release> M>
void fields(V& v, M& m) {
  v.must("lease", m.lease);
  v.may("reason", m.reason);
}

KG_WIRE_SHARED(TestbedFacts);
KG_WIRE_CODEC(ClaimRequest);
KG_WIRE_CODEC(Claim);
KG_WIRE_CODEC(Heartbeat);
KG_WIRE_CODEC(HeartbeatReply);
KG_WIRE_CODEC(Resolved);
KG_WIRE_CODEC(ResolvedReply);
KG_WIRE_CODEC(ProcessUpload);
KG_WIRE_CODEC(UploadReply);
KG_WIRE_CODEC(LogUpload);
KG_WIRE_CODEC(Finish);
KG_WIRE_CODEC(FinishReply);
KG_WIRE_CODEC(Release);

}  // namespace kernelgate::wire
