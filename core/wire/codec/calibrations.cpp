// SPDX-License-Identifier: Apache-2.0
// Calibrations.
#include "core/wire/calibrations.hpp"
#include "core/units/limits.hpp"
#include "core/wire/json_fields.hpp"
#include "core/wire/tool_documents.hpp"

namespace kernelgate::wire {

template <class V, Describes<CalibratedBenchmark> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.range("suite", length(m.suite), 1, static_cast<std::int64_t>(limits::kBenchmarkNameMax));
  v.must("benchmark", m.benchmark);
  v.range("benchmark", length(m.benchmark), 1, static_cast<std::int64_t>(limits::kBenchmarkNameMax));
  v.must("injected", m.injected, "fraction of the work");
  v.must("pairs", m.pairs);
  v.range("pairs", m.pairs, 1, limits::kPairsMax);
  v.must("ratio", m.ratio);
  v.must("ratio_low", m.ratio_low);
  v.must("ratio_high", m.ratio_high);
  v.must("sum_squares", m.sum_squares, "of the pairs' log ratios about their mean");
  v.must("degrees", m.degrees);
  v.range("degrees", m.degrees, 0, limits::kPairsMax);
  v.must("detectable", m.detectable, "fraction: the least shift that the policy's max_pairs distinguish from none");
  v.must("tolerate", m.tolerate);
  v.must("catch_limit", m.catch_limit);
  v.must("trials", m.trials);
  v.range("trials", m.trials, 0, limits::kPairsMax);
  v.may("regressed", m.regressed);
  v.within("regressed", m.regressed, 0, m.trials);
  v.may("improved", m.improved);
  v.within("improved", m.improved, 0, m.trials);
  v.may("unchanged", m.unchanged);
  v.within("unchanged", m.unchanged, 0, m.trials);
  v.may("undecided", m.undecided);
  v.within("undecided", m.undecided, 0, m.trials);
  v.may("suspected", m.suspected);
  v.within("suspected", m.suspected, 0, m.trials);
}

template <class V, Describes<CalibrationUpload> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("testbed", m.testbed);
  v.must("commit", m.commit, "full hash");
  v.must("rule_version", m.rule_version);
  v.must("program", m.program);
  v.must("benchmarks", m.benchmarks);
  v.range("benchmarks", length(m.benchmarks), 1, limits::kBenchmarksPerSuiteMax);
}

template <class V, Describes<CalibrationReply> M>
void fields(V& v, M& m) {
  v.must("epoch", m.epoch);
  v.may("quarantined", m.quarantined, "by this one: \"suite: benchmark: why\"");
}

template <class V, Describes<CalibratedFigures> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("injected", m.injected, "A fraction of the work");
  v.must("pairs", m.pairs);
  v.must("ratio", m.ratio);
  v.must("ratio_low", m.ratio_low);
  v.must("ratio_high", m.ratio_high);
  v.may("noise", m.noise, "standard deviation of a pair's log ratio");
  v.must("detectable", m.detectable, "The smallest change that max_pairs distinguish from none, a fraction");
  v.must("trials", m.trials);
  v.must("regressed", m.regressed);
  v.must("undecided", m.undecided);
}

template <class V, Describes<Calibration> M>
void fields(V& v, M& m) {
  v.must("commit", m.commit);
  v.must("calibrated_at", m.calibrated_at);
  v.must("program", m.program);
  v.must("benchmarks", m.benchmarks);
}

template <class V, Describes<CalibrationAnswer> M>
void fields(V& v, M& m) {
  v.may("calibration", m.calibration, "None: this epoch was never calibrated");
}

template <class V, Describes<PrintedRate> M>
void fields(V& v, M& m) {
  v.must("hits", m.hits);
  v.must("trials", m.trials);
  v.must("rate", m.rate);
  v.must("low", m.low);
  v.must("high", m.high);
}

template <class V, Describes<PrintedCaught> M>
void fields(V& v, M& m) {
  v.inlined(m.rate);
  v.must("injected", m.injected);
  v.must("suspected", m.suspected);
}

template <class V, Describes<PrintedOutranked> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("degrees", m.degrees);
  v.must("detectable", m.detectable);
  v.must("at", m.at);
}

template <class V, Describes<CalibrateDocument> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("commit", m.commit);
  v.must("testbed", m.testbed);
  v.must("rule_version", m.rule_version);
  v.must("program", m.program);
  v.must("at", m.at);
  v.must("pairs", m.pairs);
  v.must("notices", m.notices);
  v.must("quarantined", m.quarantined);
  v.may("server", m.server);
  v.must("outranked", m.outranked);
  v.may("false_alarms", m.false_alarms);
  v.must("caught", m.caught);
  v.must("benchmarks", m.benchmarks);
}

KG_WIRE_CODEC(CalibrationAnswer);
KG_WIRE_CODEC(CalibrationUpload);
KG_WIRE_CODEC(CalibrationReply);
KG_WIRE_PRINT(CalibrateDocument);

}  // namespace kernelgate::wire
