// SPDX-License-Identifier: Apache-2.0
// Jobs: what a runner and the server tell each other about one claimed run.
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<TestbedFacts> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
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
  v.may("wait_s", m.wait_s);
}

template <class V, Describes<Claim> M>
void fields(V& v, M& m) {
  v.must("run", m.run);
  v.must("lease", m.lease);
  v.must("lease_s", m.lease_s);
  v.must("repository", m.repository);
  v.must("url", m.url);
  v.may("default_branch", m.default_branch);
  v.must("commit", m.commit);
  v.must("base", m.base);
  v.may("manifest", m.manifest);
  v.must("seed", m.seed);
  v.may("epoch", m.epoch);
  v.may("stored", m.stored);
  v.may("bad_commits", m.bad_commits);
  v.may("baselines", m.baselines);
  v.may("sessions", m.sessions);
  v.may("anchor", m.anchor);
  v.may("process_ids", m.process_ids);
  v.may("fork", m.fork);
}

template <class V, Describes<Heartbeat> M>
void fields(V& v, M& m) {
  v.must("lease", m.lease);
  v.may("state", m.state);
  v.may("progress", m.progress);
}

template <class V, Describes<HeartbeatReply> M>
void fields(V& v, M& m) {
  v.may("cancel", m.cancel);
}

template <class V, Describes<Resolved> M>
void fields(V& v, M& m) {
  v.must("lease", m.lease);
  v.must("base_commit", m.base_commit);
  v.must("base_tree", m.base_tree);
  v.must("head_tree", m.head_tree);
  v.must("manifest_sha256", m.manifest_sha256);
  v.must("policy", m.policy);
  v.may("subject", m.subject);
  v.may("author", m.author);
  v.may("notices", m.notices);
  v.may("hypothesis", m.hypothesis);
  v.may("patch_id", m.patch_id);
  v.may("sandbox", m.sandbox);
}

template <class V, Describes<ResolvedReply> M>
void fields(V& v, M& m) {
  v.may("reused_from", m.reused_from);
}

template <class V, Describes<ProcessUpload> M>
void fields(V& v, M& m) {
  v.must("lease", m.lease);
  v.must("processes", m.processes);
}

template <class V, Describes<UploadReply> M>
void fields(V& v, M& m) {
  v.must("stored", m.stored);
}

template <class V, Describes<LogUpload> M>
void fields(V& v, M& m) {
  v.must("lease", m.lease);
  v.must("name", m.name);
  v.must("text", m.text);
}

template <class V, Describes<Finish> M>
void fields(V& v, M& m) {
  v.must("lease", m.lease);
  v.must("evidence", m.evidence);
  v.may("policy_toml_manifest", m.policy_toml_manifest);
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

void read(const Json& json, const JsonPath& place, TestbedFacts& out) { read_fields(json, place, out); }
void write(Json& out, const JsonPath& place, const TestbedFacts& value) { write_fields(out, place, value); }

KG_WIRE_CODEC(TestbedFacts);
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
