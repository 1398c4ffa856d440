// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the copy engine is told of the operands of a problem. All throw where the driver refuses.

#include <cuda.h>

#include "kernels/attention/attention.hpp"

namespace kernels::attention {

// Rows of one operand.
struct RowsOf {
  const void* data;
  Strides strides;
  int heads, rows;  // packed: of all sequences together
};

// Heads of rows, whose columns are panels that one box of `box_rows` rows brings side by side.
[[nodiscard]] CUtensorMap heads_map(const Problem& problem, const RowsOf& of, int box_rows);

// The same of packed sequences. The tensor has one dimension of `longest` rows and one of rows too, where sequences
// end: its row `longest` - size + i of the sequence that ends before row `end` is row i of that sequence, and what lies
// behind the sequence is outside the tensor, so that loads give zeros and stores leave it alone.
[[nodiscard]] CUtensorMap packed_map(const Problem& problem, const RowsOf& of, int longest, int box_rows);

// Sizes of one have no next element: their stride, whatever it says, becomes one that the copy engine takes.
[[nodiscard]] Strides settled(Strides strides, int batch, int heads, int rows, int depth);

}  // namespace kernels::attention
