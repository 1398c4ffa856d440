// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/cuda/wide_kernel.cuh"

namespace kernels::scaled {

std::span<const WideForm> wide_forms() {
  static const WideForm kForms[] = {
      wide_form<256, 128, 2>(),          wide_form<256, 128, 2, true, 3>(), wide_form<256, 128, 2, true, 2>(),
      wide_form<256, 128, 2, false>(),   wide_form<256, 128, 1>(),          wide_form<192, 128, 2>(),
      wide_form<192, 128, 2, true, 3>(), wide_form<192, 128, 2, true, 2>(), wide_form<192, 128, 1>(),
      wide_form<128, 128, 2>(),          wide_form<128, 128, 2, true, 5>(), wide_form<128, 128, 2, true, 4>(),
      wide_form<128, 128, 2, true, 3>(), wide_form<128, 128, 2, true, 2>(), wide_form<128, 192, 2>()};
  return kForms;
}

}  // namespace kernels::scaled
