// SPDX-License-Identifier: Apache-2.0
#pragma once

// What kg_probe_ceilings found, and its one line of JSON: the Ceilings of docs/WIRE.md with the GPU's name. Pure.

#include <map>
#include <string>

#include "kernels/bench/datasheet.hpp"

namespace kernels {

struct CeilingsReport {
  std::string device;
  double copy_bytes_s = 0, l2_bytes_s = 0;
  double l2_bytes = 0;
  std::map<std::string, double> flops{};  // measured, by data type
};

// A rate that is not known is left out of its object, or 0.
[[nodiscard]] std::string to_json(const CeilingsReport& report);

}  // namespace kernels
