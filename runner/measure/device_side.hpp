// SPDX-License-Identifier: Apache-2.0
#pragma once

// Starts one side's benchmarks under the device's clock, each in a process of its own: then every kernel in it is that
// benchmark's, whatever the program is. Its host times do not count, since the injection changes them. What goes wrong
// is the clock's trouble and never blamed on a side: the host's rounds find out what a benchmark is worth. Private to
// runner/measure.

#include <stop_token>
#include <string>

#include "runner/measure/side_runner.hpp"

namespace kernelgate {

class DeviceSide {
 public:
  // All references outlive it.
  DeviceSide(const MeasureRequest& request, Side side, SuiteEvidence& evidence, int& order, DisturbanceProbe& probe,
             const MeasureHooks& hooks);

  // True: the device was disturbed meanwhile.
  [[nodiscard]] Result<bool> run(const std::string& benchmark, const StartTarget& target, std::stop_token stop);
  // Why this machine has no such clock; empty: nothing speaks against it.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

 private:
  [[nodiscard]] Result<Started> start(const std::string& benchmark, const std::filesystem::path& folder,
                                      std::stop_token stop) const;
  [[nodiscard]] DeviceTimes times_of(const std::string& benchmark, const Started& started,
                                     const std::filesystem::path& folder);

  const MeasureRequest& request_;
  const MeasuredSide& measured_;
  Side side_;
  SuiteEvidence& evidence_;
  int& order_;
  DisturbanceProbe& probe_;
  const MeasureHooks& hooks_;
  std::string refusal_;
};

}  // namespace kernelgate
