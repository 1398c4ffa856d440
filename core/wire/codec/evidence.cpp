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
  v.may("error", m.error);
  v.may("counters", m.counters);
  v.may("configuration", m.configuration);
  v.range("configuration", length(m.configuration), 0, limits::kConfigurationMax);
}

template <class V, Describes<Process> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.range("id", length(m.id), 1, limits::kProcessIdMax);
  v.must("suite", m.suite);
  v.must("side", m.side);
  v.must("round", m.round);
  v.range("round", m.round, 0, limits::kRoundsMax);
  v.must("pair", m.pair);
  v.range("pair", m.pair, 0, limits::kOrderMax);
  v.must("attempt", m.attempt);
  v.range("attempt", m.attempt, 0, limits::kOrderMax);
  v.must("order", m.order);
  v.range("order", m.order, 0, limits::kOrderMax);
  v.may("disturbed", m.disturbed);
  v.may("disturbance", m.disturbance);
  v.may("started_at_ms", m.started_at_ms);
  v.may("wall_s", m.wall_s);
  v.may("gpu_s", m.gpu_s);
  v.must("end", m.end);
  v.may("exit_code", m.exit_code);
  v.may("signal", m.signal);
  v.may("text", m.text);
  v.may("state_json", m.state_json);
  v.must("series", m.series);
  v.range("series", length(m.series), 0, limits::kBenchmarksPerSuiteMax);
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
  v.figure("rel_err", m.rel_err);
  v.may("first_bad", m.first_bad);
  v.may("seed", m.seed);
  v.may("error_class", m.error_class);
  v.figure("error_value", m.error_value);
  v.may("fingerprint", m.fingerprint);
  v.may("text", m.text);
}

template <class V, Describes<CaseFailure> M>
void fields(V& v, M& m) {
  v.must("benchmark", m.benchmark);
  v.must("side", m.side);
  v.must("verdict", m.verdict);
  v.may("text", m.text);
  v.may("fingerprint", m.fingerprint);
  v.may("signal", m.signal);
}

template <class V, Describes<KernelCode> M>
void fields(V& v, M& m) {
  v.must("kernel", m.kernel);
  v.may("arch", m.arch);
  v.may("sass_sha256", m.sass_sha256);
  v.may("registers", m.registers);
  v.may("static_shared_bytes", m.static_shared_bytes);
  v.may("local_bytes", m.local_bytes);
  v.may("stack_bytes", m.stack_bytes);
  v.may("spill_stores", m.spill_stores);
  v.may("spill_loads", m.spill_loads);
  v.may("instructions", m.instructions);
}

template <class V, Describes<KernelProfile> M>
void fields(V& v, M& m) {
  v.must("benchmark", m.benchmark);
  v.must("side", m.side);
  v.must("kernel", m.kernel);
  v.must("counters", m.counters);
}

template <class V, Describes<PinnedResult> M>
void fields(V& v, M& m) {
  v.must("benchmark", m.benchmark);
  v.must("pinned", m.pinned);
  v.must("configuration", m.configuration);
  v.may("pairs", m.pairs);
  v.may("ratio", m.ratio);
  v.may("ratio_low", m.ratio_low);
  v.may("ratio_high", m.ratio_high);
  v.may("verdict", m.verdict);
  v.may("failure", m.failure);
}

template <class V, Describes<Ceilings> M>
void fields(V& v, M& m) {
  v.may("copy_bytes_s", m.copy_bytes_s);
  v.may("l2_bytes_s", m.l2_bytes_s);
  v.may("flops", m.flops);
  v.may("peak_flops", m.peak_flops);
  v.may("peak_bytes_s", m.peak_bytes_s);
  v.may("peak_clock_mhz", m.peak_clock_mhz);
  v.may("l2_bytes", m.l2_bytes);
}

template <class V, Describes<StoredSessions> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.may("baseline", m.baseline);
  v.may("commit", m.commit);
  v.must("sessions", m.sessions);
}

template <class V, Describes<Acknowledgement> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("ratio", m.ratio);
  v.must("head_median_ns", m.head_median_ns);
  v.may("who", m.who);
  v.may("reason", m.reason);
}

template <class V, Describes<Quarantine> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.may("who", m.who);
  v.may("reason", m.reason);
}

template <class V, Describes<SuiteEvidence> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("base_benchmarks", m.base_benchmarks);
  v.range("base_benchmarks", length(m.base_benchmarks), 0, limits::kBenchmarksPerSuiteMax);
  v.must("head_benchmarks", m.head_benchmarks);
  v.range("head_benchmarks", length(m.head_benchmarks), 0, limits::kBenchmarksPerSuiteMax);
  v.must("has_base", m.has_base);
  v.must("has_head", m.has_head);
  v.may("base_program", m.base_program);
  v.may("head_program", m.head_program);
  v.must("identical", m.identical);
  v.must("checks_ran", m.checks_ran);
  v.must("checks_passed", m.checks_passed);
  v.may("checks", m.checks);
  v.must("failures", m.failures);
  v.may("base_code", m.base_code);
  v.may("head_code", m.head_code);
  v.may("profiles", m.profiles);
  v.may("stored", m.stored);
  v.may("pinned", m.pinned);
  v.may("processes", m.processes);
}

template <class V, Describes<RunEvidence> M>
void fields(V& v, M& m) {
  v.must("has_base", m.has_base);
  v.must("inputs_unchanged", m.inputs_unchanged);
  v.must("base_build", m.base_build);
  v.must("head_build", m.head_build);
  v.may("build_text", m.build_text);
  v.must("infrastructure", m.infrastructure);
  v.may("notices", m.notices);
  v.may("ceilings", m.ceilings);
  v.may("acknowledged", m.acknowledged);
  v.may("quarantined", m.quarantined);
  v.must("suites", m.suites);
}

template <class V, Describes<StoredVariance> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("variance", m.variance);
  v.must("degrees", m.degrees);
  v.may("detectable", m.detectable);
}

void read(const Json& json, const JsonPath& place, Process& out) { read_fields(json, place, out); }
void read(const Json& json, const JsonPath& place, RunEvidence& out) { read_fields(json, place, out); }
void read(const Json& json, const JsonPath& place, StoredVariance& out) { read_fields(json, place, out); }
void read(const Json& json, const JsonPath& place, StoredSessions& out) { read_fields(json, place, out); }
void read(const Json& json, const JsonPath& place, PinnedResult& out) { read_fields(json, place, out); }
void write(Json& out, const JsonPath& place, const Process& value) { write_fields(out, place, value); }
void write(Json& out, const JsonPath& place, const RunEvidence& value) { write_fields(out, place, value); }
void write(Json& out, const JsonPath& place, const StoredVariance& value) { write_fields(out, place, value); }
void write(Json& out, const JsonPath& place, const StoredSessions& value) { write_fields(out, place, value); }
void write(Json& out, const JsonPath& place, const PinnedResult& value) { write_fields(out, place, value); }

KG_WIRE_CODEC(Series);
KG_WIRE_CODEC(Process);
KG_WIRE_CODEC(CheckCase);
KG_WIRE_CODEC(CaseFailure);
KG_WIRE_CODEC(KernelCode);
KG_WIRE_CODEC(KernelProfile);
KG_WIRE_CODEC(PinnedResult);
KG_WIRE_CODEC(Ceilings);
KG_WIRE_CODEC(StoredSessions);
KG_WIRE_CODEC(Acknowledgement);
KG_WIRE_CODEC(Quarantine);
KG_WIRE_CODEC(SuiteEvidence);
KG_WIRE_CODEC(RunEvidence);
KG_WIRE_CODEC(StoredVariance);

}  // namespace kernelgate::wire
