// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the rule is worth on this machine: the repository's suites at HEAD against themselves, and kernelgate's own
// suite against versions of it that do known amounts of extra work, through the same job, measuring and deciding as a
// run. The result is kept in the local store, by benchmark and epoch. Blocks.

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "commands/output/report.hpp"
#include "commands/run/run.hpp"
#include "service/baselines/calibrations.hpp"

namespace kernelgate::local {

struct CalibrateOptions {
  RunOptions run;  // repository, manifest, suite, filter, database, cpus, gpu, sandbox, program
  int pairs = 32;  // of each benchmark and slowdown; even, 2 to limits::kPairsMax
  std::vector<double> slowdowns{0.01, 0.02, 0.03, 0.05};  // injected; none: only a program against itself
  double gpu_seconds = 1800;                              // budget of each part
};

// A benchmark of which an earlier calibration of this epoch has more degrees of freedom, and counts on.
struct Calibrated {
  service::Calibration found;
  std::vector<service::Outranked> outranked;
  std::string testbed;  // one line for people
  wire::TestbedFacts facts;
  int pairs = 0;
  std::vector<std::string> notices;
  std::vector<std::string> quarantined;          // by this one: "suite: benchmark: why"
  std::optional<wire::CalibrationReply> server;  // what it made of it, where it was sent to one
};

// An error: the caller's input, or a machine on which a suite cannot be built or measured.
[[nodiscard]] Result<Calibrated> calibrate(const CalibrateOptions& options, const RunProgress& progress,
                                           std::stop_token stop);

// A server that is to know it too.
struct CalibrationServer {
  std::string url, token_file;  // of role runner
  std::string repository;       // its name there
  std::string testbed;          // this machine's name there; empty: the host's
};
// Before hours of measuring: whether the server answers, knows the repository and takes calibrations of this token.
[[nodiscard]] Status check_server(const CalibrationServer& to);
[[nodiscard]] Status send(const CalibrationServer& to, Calibrated& calibrated);

[[nodiscard]] std::string to_table(const Calibrated& calibrated, const report::TableStyle& style);
[[nodiscard]] std::string to_json(const Calibrated& calibrated);

}  // namespace kernelgate::local
