// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which rows of a long table a reader needs: what moved, and how many of each family did not. For core/report and
// commands/output.

#include <cstddef>
#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"

namespace kernelgate::report {

struct Rows {
  std::vector<Comparison> shown;    // in reading order
  std::vector<std::string> hidden;  // "gemm: 118 unchanged, 2 added", a line for each family
};
// All of them where there are at most `most`.
[[nodiscard]] Rows rows_of(const std::vector<Comparison>& comparisons, std::size_t most);

}  // namespace kernelgate::report
