// SPDX-License-Identifier: Apache-2.0
// What a run consists of, and what it cost.
#include "core/wire/run_parts.hpp"

#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<ComparisonPage> M>
void fields(V& v, M& m) {
  v.must("comparisons", m.comparisons);
  v.may("next", m.next);
}

template <class V, Describes<StoredProcess> M>
void fields(V& v, M& m) {
  v.must("generation", m.generation, "of the run's leases");
  v.must("superseded", m.superseded, "A later generation counts instead");
  v.must("stored_at", m.stored_at);
  v.must("process", m.process);
}

template <class V, Describes<ProcessPage> M>
void fields(V& v, M& m) {
  v.must("processes", m.processes);
  v.may("next", m.next);
}

template <class V, Describes<CheckPage> M>
void fields(V& v, M& m) {
  v.must("checks", m.checks);
  v.may("next", m.next);
}

template <class V, Describes<LogInfo> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("bytes", m.bytes, "of the kept text");
  v.must("original_bytes", m.original_bytes, "before the cut");
  v.must("stored_at", m.stored_at);
}

template <class V, Describes<LogPage> M>
void fields(V& v, M& m) {
  v.must("logs", m.logs);
  v.may("next", m.next);
}

template <class V, Describes<RoofPoint> M>
void fields(V& v, M& m) {
  v.about("A benchmark under the roofs; rates in FLOP/s, null where the roof's rate is not known");
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("verdict", m.verdict);
  v.must("intensity", m.intensity, "FLOP per byte");
  v.must("fraction", m.fraction, "of the roof there");
  v.must("roof", m.roof, "what limits: dram, l2 or a data type's unit");
  v.may("rate", m.rate);
  v.may("roof_rate", m.roof_rate);
}

template <class V, Describes<Roof> M>
void fields(V& v, M& m) {
  v.must("roof", m.roof);
  v.must("is_memory", m.is_memory, "its rate grows with the intensity");
  v.may("rate", m.rate, "FLOP/s; of a memory roof at 1 FLOP per byte");
}

template <class V, Describes<RunCeilings> M>
void fields(V& v, M& m) {
  v.may("ceilings", m.ceilings);
  v.may("points", m.points, "benchmarks whose work is known");
  v.may("roofs", m.roofs, "that limit a point, memory first");
}

template <class V, Describes<CountedKernel> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("profile", m.profile);
}

template <class V, Describes<RunCounters> M>
void fields(V& v, M& m) {
  v.must("counters", m.counters);
  v.may("next", m.next);
}

template <class V, Describes<BenchmarkCost> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("gpu_s", m.gpu_s);
  v.may("cost", m.cost);
}

template <class V, Describes<Cost> M>
void fields(V& v, M& m) {
  v.must("gpu_s_held", m.gpu_s_held, "The device was ours: checks and measuring");
  v.must("gpu_s_used", m.gpu_s_used, "Processes that were timed");
  v.must("seconds_saved", m.seconds_saved, "Of the budget of pairs, by stopping early");
  v.may("price_per_hour", m.price_per_hour);
  v.may("cost_held", m.cost_held);
  v.may("cost_used", m.cost_used);
  v.must("benchmarks", m.benchmarks);
}

template <class V, Describes<RunEvent> M>
void fields(V& v, M& m) {
  v.about("The data of an event named run of GET /api/v1/events");
  v.must("id", m.id);
  v.must("repository", m.repository);
  v.must("commit", m.commit);
  v.must("state", m.state);
  v.blank("conclusion", m.conclusion);
  v.must("progress", m.progress);
}

KG_WIRE_CODEC(ComparisonPage);
KG_WIRE_CODEC(ProcessPage);
KG_WIRE_CODEC(CheckPage);
KG_WIRE_CODEC(LogPage);
KG_WIRE_CODEC(RunCeilings);
KG_WIRE_CODEC(RunCounters);
KG_WIRE_CODEC(Cost);
KG_WIRE_CODEC(RunEvent);

}  // namespace kernelgate::wire
