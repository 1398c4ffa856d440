// SPDX-License-Identifier: Apache-2.0
#pragma once

// The programs that a run line starts, on both sides: whether they are proven the same, and their device code. What
// the disassembler showed is remembered with the build. Private to runner/job.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runner/code/code.hpp"
#include "runner/job/suites.hpp"

namespace kernelgate {

class ProgramPairs {
 public:
  // All references outlive it. A notice says, once, why device code was not read.
  ProgramPairs(JobStage& stage, const SuiteBuilds& builds, std::vector<std::string>& notices);

  // Whether a line of the suite, run or check, is proven to start the same program on the same data. Not being able to
  // prove it is no error.
  [[nodiscard]] Result<bool> same(const SuiteSpec& spec, const std::string& line);

  // Empty: no device code in it, or it cannot be read.
  [[nodiscard]] Result<std::vector<KernelCode>> kernels(Side side, const std::string& line);

 private:
  [[nodiscard]] Result<bool> same_program(const std::string& line);
  [[nodiscard]] Result<bool> same_data(const SuiteSpec& spec);
  using Code = std::optional<gpu::DeviceCode>;  // empty: there is none that can be read
  [[nodiscard]] Result<Code> code(Side side, const std::string& line);
  void say_once(const std::string& notice);
  [[nodiscard]] const Build* build_of(Side side) const { return side == Side::base ? builds_.base : builds_.head; }

  JobStage& stage_;
  SuiteBuilds builds_;
  std::vector<std::string>& notices_;
  std::map<std::pair<Side, std::string>, Code> known_;
};

}  // namespace kernelgate
