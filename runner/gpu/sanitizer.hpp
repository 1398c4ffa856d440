// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs a program once more under compute-sanitizer, to learn which kernel, line and thread did it.

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/limits.hpp"
#include "core/units/result.hpp"
#include "runner/sandbox/sandbox.hpp"

namespace kernelgate::gpu {

struct SanitizerFinding {
  std::string what;    // "Invalid __global__ write of size 4 bytes"
  std::string kernel;  // "gemm(float *, int)"
  std::string place;   // "gemm.cu:41"; empty where the program was built without line numbers
  std::string thread;  // "thread (3,0,0) in block (0,0,0)"
  std::string detail;  // "Address 0x7f.. is out of bounds"
};

struct SanitizerReport {
  std::vector<SanitizerFinding> findings;  // as far as the tool printed them
  int errors = 0;                          // in all, as the tool counts them
  bool complete = false;                   // the tool reached its summary
  std::string trouble;                     // why there is no report, or only half of one
};

// What compute-sanitizer printed, among the program's own lines. Pure.
[[nodiscard]] SanitizerReport parse_sanitizer(std::string_view text);

// "memcheck: Invalid __global__ write of size 4 bytes in gemm(float *, int) at gemm.cu:41 by thread (3,0,0) in block
// (0,0,0): Address … is out of bounds; 12 errors in all"
[[nodiscard]] std::string describe(std::string_view tool, const SanitizerReport& report);

// Empty: not installed. Looked for on `path` and where NVIDIA's packages put it.
[[nodiscard]] std::filesystem::path find_sanitizer(std::string_view path);
[[nodiscard]] std::filesystem::path find_sanitizer();  // on our own PATH

struct SanitizerJob {
  std::filesystem::path program;  // compute-sanitizer
  std::string tool = "memcheck";  // or racecheck
  std::vector<std::string> argv;  // what is run under it, as the sandbox sees it
  std::vector<Mount> mounts;
  std::chrono::seconds timeout = limits::kSanitizerTimeout;
};

// Errc::conflict on a stop. What keeps the tool from working is the report's trouble.
[[nodiscard]] Result<SanitizerReport> run_sanitizer(const Sandbox& sandbox, const SanitizerJob& job,
                                                    const std::stop_token& stop);

}  // namespace kernelgate::gpu
