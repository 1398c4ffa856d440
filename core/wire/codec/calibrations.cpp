// SPDX-License-Identifier: Apache-2.0
// Calibrations.
#include "core/wire/calibrations.hpp"
#include "core/units/limits.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

void read(const Json& json, const JsonPath& place, TestbedFacts& out);  // in codec_jobs.cpp
void write(Json& out, const JsonPath& place, const TestbedFacts& value);

template <class V, Describes<CalibratedBenchmark> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.range("suite", length(m.suite), 1, static_cast<std::int64_t>(limits::kBenchmarkNameMax));
  v.must("benchmark", m.benchmark);
  v.range("benchmark", length(m.benchmark), 1, static_cast<std::int64_t>(limits::kBenchmarkNameMax));
  v.must("injected", m.injected);
  v.must("pairs", m.pairs);
  v.range("pairs", m.pairs, 1, limits::kPairsMax);
  v.must("ratio", m.ratio);
  v.must("ratio_low", m.ratio_low);
  v.must("ratio_high", m.ratio_high);
  v.must("sum_squares", m.sum_squares);
  v.must("degrees", m.degrees);
  v.range("degrees", m.degrees, 0, limits::kPairsMax);
  v.must("detectable", m.detectable);
  v.must("tolerate", m.tolerate);
  v.must("catch_limit", m.catch_limit);
  v.must("trials", m.trials);
  v.range("trials", m.trials, 0, limits::kPairsMax);
  v.may("regressed", m.regressed);
  v.range("regressed", m.regressed, 0, m.trials);
  v.may("improved", m.improved);
  v.range("improved", m.improved, 0, m.trials);
  v.may("unchanged", m.unchanged);
  v.range("unchanged", m.unchanged, 0, m.trials);
  v.may("undecided", m.undecided);
  v.range("undecided", m.undecided, 0, m.trials);
  v.may("suspected", m.suspected);
  v.range("suspected", m.suspected, 0, m.trials);
}

template <class V, Describes<CalibrationUpload> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("testbed", m.testbed);
  v.must("commit", m.commit);
  v.must("rule_version", m.rule_version);
  v.must("program", m.program);
  v.must("benchmarks", m.benchmarks);
  v.range("benchmarks", length(m.benchmarks), 1, limits::kBenchmarksPerSuiteMax);
}

template <class V, Describes<CalibrationReply> M>
void fields(V& v, M& m) {
  v.must("epoch", m.epoch);
  v.may("quarantined", m.quarantined);
}

KG_WIRE_CODEC(CalibrationUpload);
KG_WIRE_CODEC(CalibrationReply);

}  // namespace kernelgate::wire
