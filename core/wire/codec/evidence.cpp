// SPDX-License-Identifier: Apache-2.0
// Evidence: what a run found out. A member that could change a verdict must be there; one that only
// explains may be.
#include "core/units/limits.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {
template <class V, Describes<Series> M>
void fields(V& v, M& m) {
  v.must("benchmark", m.benchmark);
  v.range("benchmark", length(m.benchmark), 1, limits::kBenchmarkNameMax);
  v.must("samples_ns", m.samples_ns);
  v.range("samples_ns", length(m.samples_ns), 0, limits::kSamplesPerSeriesMax);
  v.may("error", m.error, "the suite's own error_message; then samples_ns may be empty");
  v.may("counters", m.counters, "user counters, last repetition");
  v.may("configuration", m.configuration, "variant and parameters that the suite chose; empty: it states none");
  v.range("configuration", length(m.configuration), 0, limits::kConfigurationMax);
}

template <class V, Describes<KernelTime> M>
void fields(V& v, M& m) {
  v.must("kernel", m.kernel, "demangled");
  v.range("kernel", length(m.kernel), 0, limits::kDeviceKernelNameMax);
  v.may("grid", m.grid, "\"256,1,1\"; of a copy or fill its bytes");
  v.range("grid", length(m.grid), 0, limits::kDeviceShapeMax);
  v.may("block", m.block);
  v.range("block", length(m.block), 0, limits::kDeviceShapeMax);
  v.must("launches", m.launches, "in the process");
  v.must("per_iteration", m.per_iteration,
         "launches over the iterations that the suite states: a little high where it tried more");
  v.must("mean_ns", m.mean_ns, "of one launch, without the first quarter of them");
  v.must("sd_ns", m.sd_ns);
  v.must("samples", m.samples, "launches that these are from");
}

template <class V, Describes<DeviceTimes> M>
void fields(V& v, M& m) {
  v.about("What the device's own clock saw of one benchmark in one process");
  v.must("benchmark", m.benchmark);
  v.range("benchmark", length(m.benchmark), 1, limits::kBenchmarkNameMax);
  v.may("trouble", m.trouble, "why there are no times; empty: there are");
  v.may("kernels", m.kernels);
  v.range("kernels", length(m.kernels), 0, limits::kDeviceKernelsMax);
}

template <class V, Describes<Process> M>
void fields(V& v, M& m) {
  v.must("id", m.id, "random, chosen by the runner: uploads are idempotent by it");
  v.range("id", length(m.id), 1, limits::kProcessIdMax);
  v.must("suite", m.suite);
  v.must("side", m.side);
  v.must("round", m.round, "1: the one rerun of suspected benchmarks, never pooled with round 0");
  v.range("round", m.round, 0, limits::kRoundsMax);
  v.must("pair", m.pair, "0-based within the round");
  v.range("pair", m.pair, 0, limits::kOrderMax);
  v.must("attempt", m.attempt, "redo number of this pair and side: the highest attempt counts");
  v.range("attempt", m.attempt, 0, limits::kOrderMax);
  v.must("order", m.order, "position in time within the run");
  v.range("order", m.order, 0, limits::kOrderMax);
  v.may("disturbed", m.disturbed);
  v.may("disturbance", m.disturbance);
  v.may("started_at_ms", m.started_at_ms);
  v.may("wall_s", m.wall_s);
  v.may("gpu_s", m.gpu_s, "seconds of the device held; of the CPU testbed's measuring time where there is no GPU");
  v.must("end", m.end);
  v.may("exit_code", m.exit_code);
  v.may("signal", m.signal);
  v.may("text", m.text, "why it ended, last lines of stderr");
  v.may("state_json", m.state_json, "device state (clocks, temperature, …), {} on a CPU testbed");
  v.must("series", m.series);
  v.range("series", length(m.series), 0, limits::kBenchmarksPerSuiteMax);
  v.may("device", m.device, "of a process under the device's clock, which has no series");
}

template <class V, Describes<CheckCase> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("side", m.side);
  v.must("name", m.name);
  v.may("shape", m.shape);
  v.must("passed", m.passed);
  v.figure("bound", m.bound);
  v.figure("max_abs_err", m.max_abs_err);
  v.figure("rel_err", m.rel_err, "each figure: NaN where the program gave no number; null in JSON, NULL in the store");
  v.may("first_bad", m.first_bad);
  v.may("seed", m.seed);
  v.may("error_class", m.error_class, "\"\", wrong_value, not_finite, unwritten, crashed, timed_out …");
  v.figure("error_value", m.error_value, "the value the fingerprint carries");
  v.may("fingerprint", m.fingerprint, "set for failures: check case, error class, error value to 6 digits");
  v.may("text", m.text, "shown to the reader");
}

template <class V, Describes<CaseFailure> M>
void fields(V& v, M& m) {
  v.must("benchmark", m.benchmark);
  v.must("side", m.side);
  v.must("verdict", m.verdict, "broken, crashed, timed_out or invalid");
  v.may("text", m.text);
  v.may("fingerprint", m.fingerprint);
  v.may("signal", m.signal);
}

template <class V, Describes<KernelCode> M>
void fields(V& v, M& m) {
  v.must("kernel", m.kernel, "demangled");
  v.may("arch", m.arch, "sm_90a");
  v.may("sass_sha256", m.sass_sha256);
  v.may("registers", m.registers);
  v.may("static_shared_bytes", m.static_shared_bytes);
  v.may("local_bytes", m.local_bytes);
  v.may("stack_bytes", m.stack_bytes);
  v.may("spill_stores", m.spill_stores);
  v.may("spill_loads", m.spill_loads);
  v.may("instructions", m.instructions, "by class: HGMMA, HMMA, FFMA, LDG.128 …");
}

template <class V, Describes<KernelProfile> M>
void fields(V& v, M& m) {
  v.must("benchmark", m.benchmark);
  v.must("side", m.side);
  v.must("kernel", m.kernel, "demangled");
  v.must("counters", m.counters, "By the profiler's name of the metric, in its base unit");
}

template <class V, Describes<PinnedResult> M>
void fields(V& v, M& m) {
  v.must("benchmark", m.benchmark);
  v.must("pinned", m.pinned, "the side that had chosen otherwise");
  v.must("configuration", m.configuration, "that both were given");
  v.may("pairs", m.pairs);
  v.may("ratio", m.ratio);
  v.may("ratio_low", m.ratio_low);
  v.may("ratio_high", m.ratio_high);
  v.may("verdict", m.verdict, "by the comparison's own band");
  v.may("failure", m.failure, "why there are no figures; empty: there are");
}

template <class V, Describes<Ceilings> M>
void fields(V& v, M& m) {
  v.about("Rates measured on the GPU in the run's epoch, and its datasheet's peaks; 0, not known");
  v.may("copy_bytes_s", m.copy_bytes_s);
  v.may("l2_bytes_s", m.l2_bytes_s);
  v.may("flops", m.flops, "By data type, FLOP/s");
  v.may("peak_flops", m.peak_flops, "By data type, of the datasheet");
  v.may("peak_bytes_s", m.peak_bytes_s);
  v.may("peak_clock_mhz", m.peak_clock_mhz);
  v.may("l2_bytes", m.l2_bytes);
}

template <class V, Describes<StoredSessions> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.may("baseline", m.baseline, "its name");
  v.may("commit", m.commit);
  v.must("sessions", m.sessions);
}

template <class V, Describes<Acknowledgement> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("ratio", m.ratio, "head over base in the run that was accepted");
  v.must("head_median_ns", m.head_median_ns, "there");
  v.may("who", m.actor);
  v.may("reason", m.reason);
}

template <class V, Describes<Quarantine> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.may("who", m.actor);
  v.may("reason", m.reason);
}

template <class V, Describes<SuiteEvidence> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("base_benchmarks", m.base_benchmarks, "as each side's executable lists them");
  v.range("base_benchmarks", length(m.base_benchmarks), 0, limits::kBenchmarksPerSuiteMax);
  v.must("head_benchmarks", m.head_benchmarks);
  v.range("head_benchmarks", length(m.head_benchmarks), 0, limits::kBenchmarksPerSuiteMax);
  v.must("has_base", m.has_base, "false: base has no such suite, or there is no base");
  v.must("has_head", m.has_head);
  v.may("base_program", m.base_program);
  v.may("head_program", m.head_program);
  v.must("identical", m.identical, "executable, libraries, arguments and inputs are proven the same");
  v.must("checks_ran", m.checks_ran);
  v.must("checks_passed", m.checks_passed, "head's");
  v.may("checks", m.checks);
  v.must("failures", m.failures);
  v.may("base_code", m.base_code);
  v.may("head_code", m.head_code);
  v.may("profiles", m.profiles, "of confirmed regressions, both sides");
  v.may("stored", m.stored, "only where head is compared with a stored baseline");
  v.may("pinned", m.pinned, "of what moved while the sides chose differently");
  v.may("clock", m.clock, "whose times judge");
  v.may("processes", m.processes);
}

template <class V, Describes<RunEvidence> M>
void fields(V& v, M& m) {
  v.must("has_base", m.has_base, "false: root commit or first push");
  v.must("inputs_unchanged", m.inputs_unchanged, "base and head have the same inputs: nothing was built");
  v.must("base_build", m.base_build);
  v.must("head_build", m.head_build);
  v.may("build_text", m.build_text, "last lines of the failed build");
  v.must("infrastructure", m.infrastructure, "not empty: our fault or the machine's, in words");
  v.may("notices", m.notices, "base replaced, manifest changed in head, clock-coupled …");
  v.may("ceilings", m.ceilings, "of this run's GPU");
  v.may("acknowledged", m.acknowledged, "in force in this epoch");
  v.may("quarantined", m.quarantined, "likewise");
  v.must("suites", m.suites);
}

template <class V, Describes<StoredVariance> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("variance", m.variance, "of d = log(head) - log(base), per pair");
  v.must("degrees", m.degrees, "below 15: there is no stored variance");
  v.may("detectable", m.detectable,
        "fraction: the least shift that max_pairs pairs distinguish from none; 0: never calibrated");
  v.may("weight", m.weight, "degrees of freedom that the variance counts for: less where it is old or differs by run");
  v.may("between", m.between, "variance of a run's mean beyond what its pairs explain");
  v.may("runs", m.runs, "comparisons that `between` is from");
}

KG_WIRE_CODEC(Series);
KG_WIRE_CODEC(KernelTime);
KG_WIRE_SHARED(DeviceTimes);
KG_WIRE_SHARED(Process);
KG_WIRE_SHARED(CheckCase);
KG_WIRE_CODEC(CaseFailure);
KG_WIRE_CODEC(KernelCode);
KG_WIRE_SHARED(KernelProfile);
KG_WIRE_SHARED(PinnedResult);
KG_WIRE_SHARED(Ceilings);
KG_WIRE_SHARED(StoredSessions);
KG_WIRE_CODEC(Acknowledgement);
KG_WIRE_CODEC(Quarantine);
KG_WIRE_CODEC(SuiteEvidence);
KG_WIRE_SHARED(RunEvidence);
KG_WIRE_SHARED(StoredVariance);

}  // namespace kernelgate::wire
