// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the device's own clock saw of one benchmark in one process. Pure data.

#include <string>
#include <vector>

namespace kernelgate {

enum class ClockKind { host, device, both };  // whose times judge
void spelled_as_named(ClockKind);

// A kernel by name and launch shape, or a copy or fill on the device by its bytes.
struct KernelTime {
  std::string kernel;        // demangled
  std::string grid, block;   // "256,1,1"
  double launches = 0;       // in the process
  double per_iteration = 0;  // launches over the iterations that the suite states: a little high where it tried more
  double mean_ns = 0, sd_ns = 0;  // of one launch, without the first quarter of them
  double samples = 0;             // launches that these are from
};

struct DeviceTimes {
  std::string benchmark;
  std::string trouble{};  // why there are no times; empty: there are
  std::vector<KernelTime> kernels{};
};

}  // namespace kernelgate
