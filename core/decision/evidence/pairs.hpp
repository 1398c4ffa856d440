// SPDX-License-Identifier: Apache-2.0
#pragma once

// From processes to pairs: the unit of evidence is the process, its figure the median of log time.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"

namespace kernelgate {

// One complete pair of one benchmark: the median log time (of nanoseconds) of either side's
// process.
struct PairTimes {
  int pair = 0;
  double base = 0;
  double head = 0;
  bool head_first = false;  // in time
  [[nodiscard]] double difference() const { return head - base; }
};

// Whether a series can be judged: samples, all finite and above zero, and no error of the suite's
// own.
[[nodiscard]] bool is_usable(const Series& series);

// Of usable samples: the process's figure. The median of logs is the log of the median for odd counts; for even
// ones it is their geometric middle.
[[nodiscard]] double median_log(std::span<const double> samples_ns);

// The complete pairs of every benchmark of a suite, by round, in the order of their pair numbers.
// Of a pair that was redone the highest attempt that both sides completed counts; if there is none
// (a benchmark that was run again alone), each side's highest.
class PairTable {
 public:
  explicit PairTable(std::span<const Process> processes);
  [[nodiscard]] const std::vector<PairTimes>& of(std::string_view benchmark, int round) const;
  [[nodiscard]] double clock_step(std::string_view benchmark) const;  // over the benchmark's time; 0: none is seen
  [[nodiscard]] double gpu_s(std::string_view benchmark) const;       // its share of all processes it ran in
  // The error the suite itself reported for this benchmark on this side, if that side never
  // produced a usable series.
  [[nodiscard]] std::string own_error(std::string_view benchmark, Side side) const;
  [[nodiscard]] int next_pair(int round) const;  // one past the highest pair number that was tried
  [[nodiscard]] double gpu_s_all() const { return gpu_s_all_; }

 private:
  struct Entry {
    std::map<int, std::vector<PairTimes>> rounds;
    double gpu_s = 0;
    double step_ns = 0, step = 0;  // of the clock; and over the time of the benchmark
    bool usable[2] = {false, false};
    std::string error[2];
  };
  void find_clock_steps(std::span<const Process> processes);
  std::map<std::string, Entry, std::less<>> entries_;
  std::map<int, int> next_pair_;
  double gpu_s_all_ = 0;
};

}  // namespace kernelgate
