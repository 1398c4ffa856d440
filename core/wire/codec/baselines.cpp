// SPDX-License-Identifier: Apache-2.0
// Baselines: promotions, sessions to be measured, regressions that somebody accepted.
#include "core/wire/baselines.hpp"
#include "core/units/limits.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {
template <class V, Describes<Baseline> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("run", m.run);
  v.must("epoch", m.epoch);
  v.must("name", m.name);
  v.must("commit", m.commit);
  v.must("actor", m.actor);
  v.must("reason", m.reason);
  v.must("promoted_at", m.promoted_at);
  v.may("replaced_at", m.replaced_at);
  v.may("anchor", m.anchor);
  v.may("sessions", m.sessions, "stored, of its commit and epoch");
}

template <class V, Describes<BaselinePage> M>
void fields(V& v, M& m) {
  v.must("baselines", m.baselines);
  v.may("next", m.next);
}

template <class V, Describes<BaselineBenchmark> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("median_ns", m.median_ns);
  v.must("processes", m.processes);
}

template <class V, Describes<WholeBaseline> M>
void fields(V& v, M& m) {
  v.must("baseline", m.baseline);
  v.must("benchmarks", m.benchmarks);
}

template <class V, Describes<Promotion> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.range("repository", length(m.repository), 1, limits::kNameMax);
  v.must("run", m.run);
  v.must("name", m.name);
  v.range("name", length(m.name), 1, limits::kNameMax);
  v.must("reason", m.reason);
  v.range("reason", length(m.reason), 1, limits::kReasonMax);
  v.may("anchor", m.anchor);
}

template <class V, Describes<RemeasureRequest> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.may("name", m.name, "of a baseline; empty: all present ones");
  v.may("processes", m.processes);
  v.range("processes", m.processes, 2, limits::kPairsMax);
}

template <class V, Describes<Remeasured> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("commit", m.commit);
  v.may("run", m.run, "its session, queued or done");
  v.may("why_not", m.why_not, "where there is none");
}

template <class V, Describes<RemeasureReply> M>
void fields(V& v, M& m) {
  v.must("baselines", m.baselines);
}

template <class V, Describes<AcceptRequest> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("run", m.run);
  v.must("match", m.match, "regular expression, searched in benchmark names");
  v.must("reason", m.reason);
  v.range("reason", length(m.reason), 1, limits::kReasonMax);
  v.may("expires_in_days", m.expires_in_days, "0: never");
  v.range("expires_in_days", m.expires_in_days, 0, limits::kAcceptDaysMax);
}

template <class V, Describes<AcceptedBenchmark> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("ratio", m.ratio);
  v.must("head_median_ns", m.head_median_ns);
}

template <class V, Describes<AcknowledgementRecord> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("run", m.run);
  v.must("epoch", m.epoch);
  v.must("match", m.match);
  v.must("actor", m.actor);
  v.must("reason", m.reason);
  v.must("accepted_at", m.accepted_at);
  v.may("expires_at", m.expires_at);
  v.may("revoked_at", m.revoked_at);
  v.may("revoked_by", m.revoked_by);
  v.may("revoked_reason", m.revoked_reason);
  v.may("pull_request", m.pull_request);
  v.may("merged_at", m.merged_at);
  v.must("benchmarks", m.benchmarks);
}

template <class V, Describes<AcknowledgementPage> M>
void fields(V& v, M& m) {
  v.must("acknowledgements", m.acknowledgements);
  v.may("next", m.next);
}

template <class V, Describes<BaselineDocument> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("baselines", m.baselines);
  v.must("acknowledgements", m.acknowledgements);
}

template <class V, Describes<RevokeAcceptanceRequest> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("reason", m.reason);
  v.range("reason", length(m.reason), 1, limits::kReasonMax);
}

KG_WIRE_CODEC(BaselinePage);
KG_WIRE_PRINT(BaselineDocument);
KG_WIRE_CODEC(WholeBaseline);
KG_WIRE_CODEC(Promotion);
KG_WIRE_CODEC(RemeasureRequest);
KG_WIRE_CODEC(RemeasureReply);
KG_WIRE_CODEC(AcceptRequest);
KG_WIRE_CODEC(AcknowledgementRecord);
KG_WIRE_CODEC(AcknowledgementPage);
KG_WIRE_CODEC(RevokeAcceptanceRequest);

}  // namespace kernelgate::wire
