// SPDX-License-Identifier: Apache-2.0
#pragma once

// What doctor, calibrate, demo and simulate print with --format json. print of codec.hpp writes each; the tables of
// fields stand in codec/tool_documents.cpp, that of calibrate beside the message it shows.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units/time.hpp"
#include "core/wire/calibrations.hpp"

namespace kernelgate::wire {

// kernelgate doctor
enum class Grade {
  ok,
  warning,  // works, but something will be slower, noisier or impossible
  missing,  // no runner can work here
};
void spelled_as_named(Grade);
struct Finding {
  std::string topic;
  Grade grade = Grade::ok;
  std::string text{};
  std::string fix{};
};
struct PrintedManifest {
  std::string file;
  bool valid = false;
  std::vector<std::string> errors;
  std::vector<Finding> suites;
};
struct DoctorDocument {
  int schema = 1;
  int exit_code = 0;
  std::vector<Finding> machine;
  std::optional<PrintedManifest> manifest;
};

// kernelgate calibrate
struct PrintedRate {
  int hits = 0, trials = 0;
  double rate = 0, low = 0, high = 1;
};
struct PrintedCaught {
  PrintedRate rate;  // its members stand beside the others
  double injected = 0;
  int suspected = 0;
};
struct PrintedOutranked {
  std::string suite, benchmark;
  int degrees = 0;
  double detectable = 0;
  Instant at{};
};
struct CalibrateDocument {
  int schema = 1;
  std::string commit, testbed;
  int rule_version = 0;
  std::string program;
  Instant at{};
  int pairs = 0;
  std::vector<std::string> notices, quarantined;
  std::optional<CalibrationReply> server;
  std::vector<PrintedOutranked> outranked;
  std::optional<PrintedRate> false_alarms;
  std::vector<PrintedCaught> caught;
  std::vector<CalibratedBenchmark> benchmarks;
};

// kernelgate demo
struct PrintedAttempt {
  int number = 0;
  std::string commit, branch, title, hypothesis, expected, outcome;
  bool as_expected = false;
  std::string conclusion;  // empty: none
  int exit_code = 0;
  std::int64_t run = 0;
  std::optional<std::string> base, benchmark;
  std::optional<double> ratio, ratio_low, ratio_high;
  int pairs = 0;
  std::optional<std::string> error, evidence, fingerprint;
  std::optional<int> same_failure_as;
  double cost_s = 0, measuring_s = 0;
};
struct DemoDocument {
  int schema = 1;
  bool as_expected = false;
  std::vector<PrintedAttempt> attempts;
};

// kernelgate simulate --scenario; rates are fractions of the trials.
struct PrintedScenarioRates {
  double true_shift = 0;
  int trials = 0;
  double regressed = 0, improved = 0, open = 0, processes = 0;
};
struct PrintedScenario {
  std::string name, what;
  std::vector<PrintedScenarioRates> stored, alone;  // with stored comparisons, and without
};
struct ScenarioDocument {
  int schema = 1;
  std::uint64_t seed = 0;
  std::vector<PrintedScenario> scenarios;
};

// kernelgate simulate --series
struct PrintedScore {
  std::string rule;
  int same = 0, false_alarms = 0;  // trials within tolerate, and of them alarms
  int between = 0, between_alarms = 0;
  int moved = 0, caught = 0;  // trials beyond catch
  int undecided = 0;
  double processes = 0;
};
struct PrintedCase {
  std::string rule, kernel, variant;
  double ratio = 1;
  int trials = 0, regressed = 0, improved = 0, undecided = 0;
  double processes = 0;
};
struct RecordedDocument {
  int schema = 1;
  std::vector<PrintedScore> scores;
  std::vector<PrintedCase> cases;
};

}  // namespace kernelgate::wire
