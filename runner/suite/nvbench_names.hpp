// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of NVBench's states: "copy/T=I32/Elements[pow2]=20", with '/', '%' and control characters of its parts written
// as %2F. Pure. Private to runner/suite.

#include <string>
#include <string_view>
#include <vector>

namespace kernelgate::suite {

struct NvbenchAxis {
  std::string name;   // "Elements"
  std::string flags;  // "pow2" or empty
  std::string value;  // as the command line spells it
};

struct NvbenchState {
  std::string benchmark;
  int device = 0;  // the runner shows a program one GPU only, which is device 0
  std::vector<NvbenchAxis> axes;
};

[[nodiscard]] std::string name_of(const NvbenchState& state);
[[nodiscard]] NvbenchState state_of(std::string_view name);

}  // namespace kernelgate::suite
