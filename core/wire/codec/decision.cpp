// SPDX-License-Identifier: Apache-2.0
// Decisions: what the server says of a run. Figures that were not computed are null.
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<Look> M>
void fields(V& v, M& m) {
  v.must("pairs", m.pairs);
  v.must("mean", m.mean, "of d, natural log");
  v.must("se", m.se);
  v.may("degrees", m.degrees);
  v.may("used_stored", m.used_stored);
  v.must("verdict", m.verdict, "undecided: go on");
}

template <class V, Describes<DistributionChange> M>
void fields(V& v, M& m) {
  v.must("kind", m.kind, "tail or modes");
  v.may("base_share", m.base_share);
  v.may("head_share", m.head_share);
  v.may("distance", m.distance, "ratio less 1: of the modes, or from where on the tail counts");
  v.may("p", m.p);
  v.may("low_ns", m.low_ns);
  v.may("high_ns", m.high_ns);
  v.may("base_counts", m.base_counts);
  v.may("head_counts", m.head_counts);
}

template <class V, Describes<RoofPosition> M>
void fields(V& v, M& m) {
  v.must("intensity", m.intensity, "FLOP per byte");
  v.must("fraction", m.fraction, "of the roof at that intensity");
  v.must("roof", m.roof, "what limits there: dram, or the data type's matrix rate");
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
  v.must("text", m.text, "\"bf16, K < 512\"");
  v.must("verdict", m.verdict);
  v.may("members", m.members);
  v.may("moved", m.moved);
  v.may("others_moved", m.others_moved);
  v.may("median_ratio", m.median_ratio);
}

template <class V, Describes<KernelComparison> M>
void fields(V& v, M& m) {
  v.must("kernel", m.kernel, "shortened to what distinguishes it from the others");
  v.may("full_name", m.full_name, "demangled");
  v.may("grid", m.grid, "head's, or base's where head has no such kernel");
  v.may("block", m.block);
  v.must("verdict", m.verdict, "missing: base's alone; added: head's alone");
  v.may("base_launches", m.base_launches, "an iteration");
  v.may("head_launches", m.head_launches);
  v.may("base_ns", m.base_ns, "of one launch");
  v.may("head_ns", m.head_ns);
  v.may("ratio", m.ratio);
  v.may("ratio_low", m.ratio_low);
  v.may("ratio_high", m.ratio_high);
}

template <class V, Describes<DeviceComparison> M>
void fields(V& v, M& m) {
  v.about("A benchmark by the device's clock: the time of its kernels summed over one iteration");
  v.must("verdict", m.verdict);
  v.may("severity", m.severity);
  v.may("pairs", m.pairs);
  v.may("looks", m.looks);
  v.may("ratio", m.ratio);
  v.may("ratio_low", m.ratio_low);
  v.may("ratio_high", m.ratio_high);
  v.may("base_ns", m.base_ns, "an iteration");
  v.may("head_ns", m.head_ns);
  v.may("reason", m.reason, "one sentence");
  v.may("kernels", m.kernels, "the one that changed the sum most first");
}

template <class V, Describes<Comparison> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("verdict", m.verdict);
  v.may("severity", m.severity);
  v.may("reason", m.reason, "one sentence");
  v.may("fingerprint", m.fingerprint, "of a failure");
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
  v.may("q_value", m.q_value, "Benjamini-Hochberg over the run; decides nothing");
  v.may("minimum_detectable", m.minimum_detectable, "fraction: the shift these pairs distinguish from none");
  v.may("pair_sd", m.pair_sd, "spread of d");
  v.may("base_median_ns", m.base_median_ns);
  v.may("head_median_ns", m.head_median_ns);
  v.may("tolerate", m.tolerate);
  v.may("catch_limit", m.catch_limit);
  v.may("gpu_s", m.gpu_s);
  v.may("sum_squares", m.sum_squares,
        "of d about its mean, and its degrees of freedom: what the stored variance is made of");
  v.may("degrees", m.degrees);
  v.may("looks", m.looks);
  v.may("distribution", m.distribution);
  v.may("against", m.against);
  v.may("acknowledged", m.acknowledged, "who accepted this regression, and why: then it fails nothing");
  v.may("quarantined", m.quarantined, "who set it aside as unstable, and why: then it decides nothing");
  v.may("error_factor", m.error_factor, "head's largest numerical error over base's");
  v.may("code_changes", m.code_changes, "of the device code: \"gemm: spills 0 -> 48 bytes\"");
  v.may("counter_changes", m.counter_changes, "of the profiler, the one that moved most first");
  v.may("roof", m.roof);
  v.may("base_configuration", m.base_configuration);
  v.may("head_configuration", m.head_configuration);
  v.may("pinned", m.pinned, "where they differ: both sides with the same one");
  v.may("attribution", m.attribution, "what that says: the choice or the kernel, in one sentence");
  v.may("device", m.device, "absent: the host's clock alone was read");
  v.may("clock", m.clock, "that the verdict rests on");
}

template <class V, Describes<RunDecision> M>
void fields(V& v, M& m) {
  v.must("conclusion", m.conclusion);
  v.may("reason", m.reason, "a code where DESIGN names one (no_base, nothing_to_measure …), else a short sentence");
  v.may("summary", m.summary, "one sentence for people");
  v.may("notices", m.notices);
  v.may("expected_false_alarms", m.expected_false_alarms);
  v.must("comparisons", m.comparisons);
  v.may("workloads", m.workloads);
  v.may("regions", m.regions);
}

KG_WIRE_CODEC(Look);
KG_WIRE_CODEC(DistributionChange);
KG_WIRE_SHARED(RoofPosition);
KG_WIRE_SHARED(WorkloadResult);
KG_WIRE_SHARED(RegionResult);
KG_WIRE_CODEC(KernelComparison);
KG_WIRE_SHARED(DeviceComparison);
KG_WIRE_SHARED(Comparison);
KG_WIRE_SHARED(RunDecision);

}  // namespace kernelgate::wire
