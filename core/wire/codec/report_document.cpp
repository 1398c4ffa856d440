// SPDX-License-Identifier: Apache-2.0
#include "core/wire/report_document.hpp"

#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<PrintedComparison> M>
void fields(V& v, M& m) {
  v.inlined(m.comparison);
  v.may("live_pair", m.live_pair);
}

template <class V, Describes<PrintedCost> M>
void fields(V& v, M& m) {
  v.must("gpu_s_held", m.gpu_s_held);
  v.must("gpu_s_used", m.gpu_s_used);
  v.must("seconds_saved", m.seconds_saved);
  v.may("price_per_hour", m.price_per_hour);
  v.may("cost_held", m.cost_held);
  v.may("cost_used", m.cost_used);
}

template <class V, Describes<PrintedLive> M>
void fields(V& v, M& m) {
  v.must("pairs", m.pairs);
  v.must("processes", m.processes);
  v.must("given_pairs", m.given_pairs);
  v.must("given_processes", m.given_processes);
  v.must("open", m.open);
}

template <class V, Describes<ReportDocument> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("conclusion", m.conclusion);
  v.must("exit_code", m.exit_code);
  v.must("title", m.title);
  v.must("reason", m.reason);
  v.must("summary", m.summary);
  v.must("notices", m.notices);
  v.figure("expected_false_alarms", m.expected_false_alarms);
  v.may("gpu_s", m.gpu_s);
  v.may("wall_s", m.wall_s);
  v.may("cost", m.cost);
  v.must("comparisons", m.comparisons);
  v.may("live", m.live);
  v.must("workloads", m.workloads);
  v.must("regions", m.regions);
}

template <class V, Describes<PrintedPoint> M>
void fields(V& v, M& m) {
  v.must("point", m.point);
  v.must("outcome", m.outcome);
  v.must("failed", m.failed);
  v.may("ratio", m.ratio);
  v.must("benchmarks", m.benchmarks);
  v.must("gpu_s", m.gpu_s);
  v.must("run", m.run);
  v.must("text", m.text);
}

template <class V, Describes<PrintedSweep> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("commit", m.commit);
  v.must("best", m.best);
  v.must("constraints", m.constraints);
  v.must("points", m.points);
}

template <class V, Describes<SweepDocument> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("sweeps", m.sweeps);
}

template <class V, Describes<BenchmarkFigures> M>
void fields(V& v, M& m) {
  v.must("benchmark", m.benchmark);
  v.must("samples", m.samples);
  v.must("processes", m.processes);
  v.figure("median_ns", m.median_ns);
  v.figure("low_ns", m.low_ns);
  v.figure("high_ns", m.high_ns);
  v.figure("coverage", m.coverage);
  v.figure("spread_within", m.spread_within);
  v.figure("spread_between", m.spread_between);
  v.may("roof", m.roof);
  v.must("impossible", m.impossible);
  v.figure("sm_mhz_low", m.sm_mhz_low);
  v.figure("sm_mhz_high", m.sm_mhz_high);
  v.must("error", m.error);
}

template <class V, Describes<CheckFigures> M>
void fields(V& v, M& m) {
  v.must("cases", m.cases);
  v.must("failed", m.failed);
  v.figure("worst_rel_err", m.worst_rel_err);
  v.must("text", m.text);
}

template <class V, Describes<SuiteFigures> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("commit", m.commit);
  v.must("testbed", m.testbed);
  v.must("checks", m.checks);
  v.must("processes", m.processes);
  v.must("disturbed", m.disturbed);
  v.figure("gpu_s", m.gpu_s);
  v.figure("price", m.price);
  v.must("notes", m.notes);
  v.must("benchmarks", m.benchmarks);
}

template <class V, Describes<CharacterizeDocument> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("suites", m.suites);
}

template <class V, Describes<PrintedRates> M>
void fields(V& v, M& m) {
  v.must("rule", m.rule);
  v.must("true", m.true_shift);
  v.must("trials", m.trials);
  v.must("regressed", m.regressed);
  v.must("improved", m.improved);
  v.must("unchanged", m.unchanged);
  v.must("undecided", m.undecided);
  v.must("suspected", m.suspected);
  v.must("processes", m.processes);
  v.must("regressed_low", m.regressed_low);
  v.must("regressed_high", m.regressed_high);
  v.may("estimate", m.estimate);
  v.may("estimate_regressed", m.estimate_regressed);
}

template <class V, Describes<SimulationDocument> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("seed", m.seed);
  v.must("noise", m.noise);
  v.must("history", m.history);
  v.must("stored_variance_factor", m.stored_variance_factor);
  v.must("results", m.results);
}

template <class V, Describes<ReplayDocument> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("run", m.run);
  v.must("same", m.same);
  v.must("exit_code", m.exit_code);
  v.must("thinned_at", m.thinned_at);
  v.must("decided_by", m.decided_by);
  v.must("replayed_by", m.replayed_by);
  v.must("rule_version", m.rule_version);
  v.must("differences", m.differences);
  v.must("decision", m.decision);
}

KG_WIRE_PRINT(ReportDocument);
KG_WIRE_PRINT(SweepDocument);
KG_WIRE_PRINT(CharacterizeDocument);
KG_WIRE_PRINT(SimulationDocument);
KG_WIRE_PRINT(ReplayDocument);

}  // namespace kernelgate::wire
