// SPDX-License-Identifier: Apache-2.0
#pragma once

// The oracle: the product in double precision, and beside each sum the sum of its magnitudes. A float kernel that adds
// the same terms in any order errs at most by a small multiple of that magnitude, however much the terms cancel.

#include <vector>

#include "kernels/bsr_gemm/bsr.hpp"

namespace kernels {

struct Reference {
  std::vector<double> sum;        // rows(A) x n
  std::vector<double> magnitude;  // of |A|·|B|
};
[[nodiscard]] Reference reference_product(const BsrMatrix& a, const std::vector<float>& b, int n);

}  // namespace kernels
