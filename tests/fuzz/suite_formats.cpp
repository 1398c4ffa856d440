// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/suite_formats.hpp"

#include <cmath>
#include <set>
#include <string>

#include "core/units/limits.hpp"
#include "runner/suite/dialect.hpp"
#include "tests/fuzz/fuzzers.hpp"

namespace kernelgate::fuzz {
namespace {

bool is_name(const std::string& name) { return !name.empty() && name.size() <= limits::kBenchmarkNameMax; }

void check(const suite::SuiteResult& result) {
  require(result.series.size() == result.repetition.size(), "each series has its repetition");
  require(result.series.size() <= static_cast<std::size_t>(limits::kBenchmarksPerSuiteMax), "benchmarks are bounded");
  for (const Series& series : result.series) {
    require(is_name(series.benchmark), "a benchmark has a name of bounded length");
    require(series.samples_ns.size() <= static_cast<std::size_t>(limits::kSamplesPerSeriesMax), "samples are bounded");
    require(series.configuration.size() <= limits::kConfigurationMax, "a configuration is bounded");
    for (const double ns : series.samples_ns) require(std::isfinite(ns) && ns > 0, "a sample is a time");
  }
}

bool read_list(SuiteFormat format, std::string_view input) {
  const auto names = suite::read_list(format, input, "list");
  if (!names) return false;
  require(names->size() <= static_cast<std::size_t>(limits::kBenchmarksPerSuiteMax), "a list is bounded");
  for (const std::string& name : *names) require(is_name(name), "a listed benchmark has a name of bounded length");
  if (names->empty()) return false;
  (void)suite::once_flags(format, names->front());
  (void)suite::start_call(format, "suite", {.benchmarks = *names, .out = "out"});
  return true;
}

}  // namespace

bool read_as(SuiteFormat format, std::string_view input) {
  bool read = read_list(format, input);
  (void)suite::format_of(input);
  for (const TimeSource time : {TimeSource::real, TimeSource::cpu})
    for (const bool from_stdout : {false, true})
      for (const bool partial : {false, true}) {
        const suite::ReadOptions options{.time = time, .from_stdout = from_stdout, .partial = partial};
        const auto result = suite::read_result(format, input, options, "result");
        if (!result) continue;
        check(*result);
        read = read || !result->series.empty();
      }
  return read;
}

}  // namespace kernelgate::fuzz
