// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/variants.hpp"

namespace kernels {

std::span<const Variant> variants() {
  static constexpr Variant kVariants[] = {{"", bsr_gemm_naive}};
  return kVariants;
}

}  // namespace kernels
