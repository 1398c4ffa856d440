// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a caller's pattern and operands can be computed with. Pure; looks at every index once.

#include <string>

#include "kernels/bsr_gemm/bsr.hpp"

namespace kernels::bsr {

inline constexpr int kSizeMax = 1 << 24;  // rows, columns and n: beyond it grids and indices of the kernels end

// What is wrong, in words that say what it may be; empty where nothing is. Each part relies on those before it: sizes,
// then row_begin, then block_column.
[[nodiscard]] std::string size_problem(const BsrMatrix& pattern, int n);
[[nodiscard]] std::string row_problem(const BsrMatrix& pattern);
[[nodiscard]] std::string pattern_problem(const BsrMatrix& pattern, int n);  // all three

// The same for where operands lie: kernels load 16 bytes at a time, and a fault there ends the GPU's context.
inline constexpr int kAlignment = 16;
[[nodiscard]] std::string address_problem(const void* values, const void* b, const void* c);

}  // namespace kernels::bsr
