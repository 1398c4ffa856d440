// SPDX-License-Identifier: Apache-2.0
// Profiles that people ask for.
#include "core/wire/profiles.hpp"
#include "core/units/limits.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {
template <class V, Describes<ProfileRequest> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.range("suite", length(m.suite), 1, limits::kManifestNameMax);
  v.must("benchmark", m.benchmark);
  v.range("benchmark", length(m.benchmark), 1, limits::kBenchmarkNameMax);
}

template <class V, Describes<ProfiledKernel> M>
void fields(V& v, M& m) {
  v.must("kernel", m.kernel, "demangled");
  v.range("kernel", length(m.kernel), 0, limits::kProfileTextMax);
  v.must("counters", m.counters, "by the profiler's name of the metric, in its base unit");
  v.range("counters", length(m.counters), 0, limits::kProfileCountersMax);
}

template <class V, Describes<ProfileDocument> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("title", m.title);
  v.must("changes", m.changes);
  v.must("base", m.base);
  v.must("head", m.head);
}

template <class V, Describes<Profile> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("run", m.run);
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("state", m.state);
  v.must("text", m.text, "in a sentence: what is waited for, or why there is none");
  v.must("actor", m.actor);
  v.must("runner", m.runner);
  v.must("changes", m.changes, "the counter that moved most first");
  v.may("base", m.base);
  v.may("head", m.head);
  v.must("created_at", m.created_at);
  v.may("finished_at", m.finished_at);
}

template <class V, Describes<ProfileList> M>
void fields(V& v, M& m) {
  v.must("profiles", m.profiles, "of one run, newest first");
}

template <class V, Describes<ProfileClaim> M>
void fields(V& v, M& m) {
  v.must("profile", m.profile);
  v.must("run", m.run);
  v.must("lease", m.lease, "secret of this claim");
  v.must("url", m.url);
  v.must("base", m.base);
  v.must("head", m.head);
  v.may("manifest", m.manifest, "registered on the server; empty: from the tree");
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.may("fork", m.fork, "head is untrusted");
}

template <class V, Describes<ProfileEnd> M>
void fields(V& v, M& m) {
  v.must("lease", m.lease);
  v.may("again", m.again, "the runner is stopping: back to the queue");
  v.may("text", m.text);
  v.range("text", length(m.text), 0, limits::kProfileTextMax);
  v.may("base", m.base);
  v.may("head", m.head);
}

KG_WIRE_PRINT(ProfileDocument);
KG_WIRE_CODEC(ProfileRequest);
KG_WIRE_CODEC(ProfiledKernel);
KG_WIRE_CODEC(Profile);
KG_WIRE_CODEC(ProfileList);
KG_WIRE_CODEC(ProfileClaim);
KG_WIRE_CODEC(ProfileEnd);

}  // namespace kernelgate::wire
