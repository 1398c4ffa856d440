// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pairs of a benchmark by the device's clock: the time of its kernels summed over one iteration, and each kernel by
// itself. The unit of evidence is the process, as ever; its figure is the mean of a kernel's launches, which averages
// the clock's step away where a median would stand on it. Judges nothing: the sequences of looks.hpp do.

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/decision/evidence/pairs.hpp"
#include "core/decision/rule/looks.hpp"

namespace kernelgate {

inline constexpr int kDeviceRound = 3;       // Process::round of the pairs under the device's clock
inline constexpr double kDeviceStepNs = 32;  // CUPTI's times lie on multiples of it

// A kernel as either side's processes have it.
struct KernelOfBoth {
  std::string kernel, grid, block;                // head's, or base's where head has none
  std::array<std::optional<double>, 2> launches;  // an iteration, base and head; empty: that side never launches it
  std::array<std::optional<double>, 2> mean_ns;   // of one launch
  std::vector<PairTimes> pairs{};
  double floor = 0;  // variance of a pair that the number of launches leaves: no spread is less
};

struct DeviceBenchmark {
  std::string trouble{};           // why it cannot be judged by the device's clock; empty: it can
  std::vector<PairTimes> pairs{};  // of the sum
  double floor = 0;
  std::vector<KernelOfBoth> kernels{};
};

// Of one suite. Holds no reference to the processes.
class DeviceTable {
 public:
  explicit DeviceTable(std::span<const Process> processes);
  [[nodiscard]] const DeviceBenchmark& of(std::string_view benchmark) const;

 private:
  std::map<std::string, DeviceBenchmark, std::less<>> benchmarks_;
};

}  // namespace kernelgate
