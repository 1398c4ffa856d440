// SPDX-License-Identifier: Apache-2.0
#pragma once

// Evidence for tests: a suite whose pair differences are given as plain numbers.

#include <cmath>
#include <string>
#include <vector>

#include "core/decision/evidence/evidence.hpp"

namespace kernelgate::test {

inline Series series_of(const std::string& benchmark, double median_ns) {
  Series out;
  out.benchmark = benchmark;
  out.samples_ns = {median_ns * 0.99, median_ns, median_ns * 1.02};
  return out;
}

inline Process process_of(Side side, int pair, std::vector<Series> series, int round = 0) {
  Process out;
  out.id = std::string(to_string(side)) + "-" + std::to_string(round) + "-" + std::to_string(pair);
  out.suite = "gemm";
  out.side = side;
  out.round = round;
  out.pair = pair;
  out.order = 2 * pair + (side == Side::head ? 1 : 0);
  out.gpu_s = 0.5;
  out.series = std::move(series);
  return out;
}

inline SuiteEvidence suite_named(const std::string& name, std::vector<std::string> benchmarks) {
  SuiteEvidence out;
  out.name = name;
  out.base_benchmarks = benchmarks;
  out.head_benchmarks = std::move(benchmarks);
  return out;
}

// One pair per entry of `d`, the log ratio of head over base.
inline void add_pairs(SuiteEvidence& suite, const std::string& benchmark, const std::vector<double>& d, int round = 0) {
  for (std::size_t i = 0; i < d.size(); ++i) {
    const int pair = static_cast<int>(i);
    suite.processes.push_back(process_of(Side::base, pair, {series_of(benchmark, 1000)}, round));
    suite.processes.push_back(process_of(Side::head, pair, {series_of(benchmark, 1000 * std::exp(d[i]))}, round));
  }
}

// `pairs` differences alternating about log1p(shift).
inline std::vector<double> wobble(double shift, double spread, int pairs) {
  std::vector<double> out;
  for (int i = 0; i < pairs; ++i) out.push_back(std::log1p(shift) + (i % 2 == 0 ? spread : -spread));
  return out;
}

inline SuiteEvidence suite_of(const std::vector<double>& d) {
  SuiteEvidence out = suite_named("gemm", {"b"});
  add_pairs(out, "b", d);
  return out;
}

}  // namespace kernelgate::test
