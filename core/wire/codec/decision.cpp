// SPDX-License-Identifier: Apache-2.0
// Decisions: what the server says of a run. Figures that were not computed are null.
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<Look> M>
void fields(V& v, M& m) {
  v.must("pairs", m.pairs);
  v.must("mean", m.mean);
  v.must("se", m.se);
  v.may("degrees", m.degrees);
  v.may("used_stored", m.used_stored);
  v.must("verdict", m.verdict);
}

template <class V, Describes<DistributionChange> M>
void fields(V& v, M& m) {
  v.must("kind", m.kind);
  v.may("base_share", m.base_share);
  v.may("head_share", m.head_share);
  v.may("distance", m.distance);
  v.may("p", m.p);
  v.may("low_ns", m.low_ns);
  v.may("high_ns", m.high_ns);
  v.may("base_counts", m.base_counts);
  v.may("head_counts", m.head_counts);
}

template <class V, Describes<RoofPosition> M>
void fields(V& v, M& m) {
  v.must("intensity", m.intensity);
  v.must("fraction", m.fraction);
  v.must("roof", m.roof);
}

template <class V, Describes<WorkloadResult> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("name", m.name);
  v.must("verdict", m.verdict);
  v.may("ratio", m.ratio);
  v.may("low", m.low);
  v.may("high", m.high);
  v.may("benchmarks", m.benchmarks);
  v.may("timed", m.timed);
  v.may("gains", m.gains);
  v.may("losses", m.losses);
}

template <class V, Describes<RegionResult> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("text", m.text);
  v.must("verdict", m.verdict);
  v.may("members", m.members);
  v.may("moved", m.moved);
  v.may("others_moved", m.others_moved);
  v.may("median_ratio", m.median_ratio);
}

template <class V, Describes<Comparison> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("verdict", m.verdict);
  v.may("severity", m.severity);
  v.may("reason", m.reason);
  v.may("fingerprint", m.fingerprint);
  v.may("round", m.round);
  v.may("pairs", m.pairs);
  v.may("ratio", m.ratio);
  v.may("ratio_low", m.ratio_low);
  v.may("ratio_high", m.ratio_high);
  v.may("hl_ratio", m.hl_ratio);
  v.may("hl_low", m.hl_low);
  v.may("hl_high", m.hl_high);
  v.may("cliffs_delta", m.cliffs_delta);
  v.may("mwu_p", m.mwu_p);
  v.may("q_value", m.q_value);
  v.may("minimum_detectable", m.minimum_detectable);
  v.may("pair_sd", m.pair_sd);
  v.may("base_median_ns", m.base_median_ns);
  v.may("head_median_ns", m.head_median_ns);
  v.may("tolerate", m.tolerate);
  v.may("catch_limit", m.catch_limit);
  v.may("gpu_s", m.gpu_s);
  v.may("sum_squares", m.sum_squares);
  v.may("degrees", m.degrees);
  v.may("looks", m.looks);
  v.may("distribution", m.distribution);
  v.may("against", m.against);
  v.may("acknowledged", m.acknowledged);
  v.may("quarantined", m.quarantined);
  v.may("error_factor", m.error_factor);
  v.may("code_changes", m.code_changes);
  v.may("counter_changes", m.counter_changes);
  v.may("roof", m.roof);
  v.may("base_configuration", m.base_configuration);
  v.may("head_configuration", m.head_configuration);
  v.may("pinned", m.pinned);
  v.may("attribution", m.attribution);
}

template <class V, Describes<RunDecision> M>
void fields(V& v, M& m) {
  v.must("conclusion", m.conclusion);
  v.may("reason", m.reason);
  v.may("summary", m.summary);
  v.may("notices", m.notices);
  v.may("expected_false_alarms", m.expected_false_alarms);
  v.must("comparisons", m.comparisons);
  v.may("workloads", m.workloads);
  v.may("regions", m.regions);
}

void read(const Json& json, const JsonPath& place, Comparison& out) { read_fields(json, place, out); }
void read(const Json& json, const JsonPath& place, WorkloadResult& out) { read_fields(json, place, out); }
void read(const Json& json, const JsonPath& place, RegionResult& out) { read_fields(json, place, out); }
void read(const Json& json, const JsonPath& place, RunDecision& out) { read_fields(json, place, out); }
void write(Json& out, const JsonPath& place, const Comparison& value) { write_fields(out, place, value); }
void write(Json& out, const JsonPath& place, const WorkloadResult& value) { write_fields(out, place, value); }
void write(Json& out, const JsonPath& place, const RegionResult& value) { write_fields(out, place, value); }
void write(Json& out, const JsonPath& place, const RunDecision& value) { write_fields(out, place, value); }

KG_WIRE_CODEC(Look);
KG_WIRE_CODEC(DistributionChange);
KG_WIRE_CODEC(RoofPosition);
KG_WIRE_CODEC(WorkloadResult);
KG_WIRE_CODEC(RegionResult);
KG_WIRE_CODEC(Comparison);
KG_WIRE_CODEC(RunDecision);

}  // namespace kernelgate::wire
