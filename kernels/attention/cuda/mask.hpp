// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which keys a row of queries sees, as kernels are given it. Plain data.

namespace kernels::attention {

struct Mask {
  int keys;
  int diagonal;  // causal: row i sees keys up to i + diagonal
  bool causal;
};

}  // namespace kernels::attention
