// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/variants.hpp"

namespace kernels {

std::span<const Variant> variants() {
  static constexpr Variant kVariants[] = {
      {"naive", bsr_gemm_naive},
      {"registers", bsr_gemm_registers},
      {"vectorized", bsr_gemm_vectorized},
  };
  return kVariants;
}

}  // namespace kernels
