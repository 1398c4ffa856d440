// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/cuda/variants.hpp"

#include "kernels/common/built_for.hpp"

namespace kernels::bsr {
namespace {

const char* takes_all(const BsrMatrix&, int) { return nullptr; }

const char* wgmma_refused(const BsrMatrix& pattern, int n) {
  const char* reason = wgmma_refusal(pattern, n);
  return reason != nullptr ? reason : sm_90a_refusal();
}

}  // namespace

std::span<const CudaVariant> cuda_variants() {
  static constexpr CudaVariant kVariants[] = {
      {"atomics", takes_all, prepare_atomics},
      {"registers", takes_all, prepare_registers},
      {"vectorized", takes_all, prepare_vectorized},
      {"wmma", takes_all, prepare_wmma},
      {"wgmma", wgmma_refused, prepare_wgmma},
      {"cublaslt_per_block", library_refusal, prepare_cublaslt_per_block},
      {"cusparse", cusparse_refusal, prepare_cusparse},
      {"dense", library_refusal, prepare_dense},
      {"tuned", takes_all, prepare_tuned},
  };
  return kVariants;
}

}  // namespace kernels::bsr
