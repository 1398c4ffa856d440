// SPDX-License-Identifier: Apache-2.0
#pragma once

// Starts one side of a suite for one pair and sorts out what came of each benchmark: samples, a failure that it showed
// alone, or nothing because the suite did not run it. Private to runner/measure.

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runner/measure/measure.hpp"

namespace kernelgate {

// Which start it is; copied into the Process.
struct StartTarget {
  int round = 0;
  int pair = 0;
  int attempt = 0;
};

// What a start leaves to be recorded; its suite, side, order and times are the caller's.
[[nodiscard]] Process process_of(const Started& started, const StartTarget& target, const DeviceWindow& window,
                                 std::int64_t started_at_ms);

class SideRunner {
 public:
  // All references outlive the runner; `side` is the key under which failures and processes are stored.
  SideRunner(const MeasureRequest& request, Side side, SuiteEvidence& evidence, int& order,
             std::vector<std::string>& notices, DisturbanceProbe& probe, const MeasureHooks& hooks);

  // True: the device was disturbed meanwhile.
  [[nodiscard]] Result<bool> run(const std::vector<std::string>& benchmarks, const StartTarget& target,
                                 std::stop_token stop);
  // The GPU's clock during the last run(), where there is one.
  [[nodiscard]] std::optional<double> clock_mhz() const { return clock_mhz_; }

 private:
  [[nodiscard]] Result<Started> start(const std::vector<std::string>& benchmarks, const StartTarget& target,
                                      std::stop_token stop);
  [[nodiscard]] Result<Started> start_in_known_words(const std::vector<std::string>& benchmarks, std::stop_token stop);
  [[nodiscard]] Status run_alone(const std::string& benchmark, const StartTarget& target, std::stop_token stop);
  [[nodiscard]] Status record(const Started& started, const StartTarget& target, const DeviceWindow& window,
                              std::int64_t started_at_ms);
  [[nodiscard]] std::vector<std::string> unfinished(const std::vector<std::string>& benchmarks, const Started& started);
  void judge_alone(const std::string& benchmark, const Started& started);
  void take_off_list(const std::string& benchmark, const std::string& why);
  [[nodiscard]] bool budget_spent() const;

  const MeasureRequest& request_;
  const MeasuredSide& measured_;
  Side side_;
  SuiteEvidence& evidence_;
  int& order_;
  std::vector<std::string>& notices_;
  DisturbanceProbe& probe_;
  const MeasureHooks& hooks_;
  suite::MinTime min_time_;
  bool spoke_ = false;  // a start has given samples: the spelling is right
  bool disturbed_ = false;
  std::optional<double> clock_mhz_;
  std::map<std::string, double> longest_ms_;
};

}  // namespace kernelgate
