// SPDX-License-Identifier: Apache-2.0
#pragma once

// One matrix product of cuBLASLt for row-major matrices, made ready once and run on many operands of the same sizes.

#include <cublasLt.h>

#include <memory>
#include <type_traits>

#include "kernels/bench/cuda.hpp"

namespace kernels {

class CublasLtProduct {
 public:
  // C (m x n, leading dimension n) = A (m x k, k) times B (k x n, n), plus C where it `adds`. Sums in fp32; `type` is
  // that of A and B in memory, `c_type` that of C. Throws where the library has no algorithm.
  CublasLtProduct(cudaDataType_t type, cudaDataType_t c_type, int m, int n, int k, bool adds);

  void run(const void* a, const void* b, void* c, cudaStream_t stream) const;

 private:
  template <auto kDestroy>
  struct Destroy {
    template <class T>
    void operator()(T* handle) const noexcept {
      (void)kDestroy(handle);
    }
  };
  template <class Handle, auto kDestroy>
  using Owner = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy<kDestroy>>;
  using Layout = Owner<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;

  [[nodiscard]] static Layout layout(cudaDataType_t type, int rows, int columns);

  Owner<cublasLtHandle_t, cublasLtDestroy> handle_;
  Owner<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy> product_;
  Layout a_, b_, c_;
  cublasLtMatmulAlgo_t algorithm_{};
  bench::DeviceMemory workspace_;
  float beta_ = 0;
};

}  // namespace kernels
