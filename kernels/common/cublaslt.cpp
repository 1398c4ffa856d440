// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/cublaslt.hpp"

#include <stdexcept>
#include <string>

namespace kernels {
namespace {

constexpr std::size_t kWorkspaceBytes = 32u << 20;

void check(cublasStatus_t status, const char* where) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuBLASLt: ") + cublasLtGetStatusString(status) + ", at " + where);
}

}  // namespace

// The library counts column by column, so it is told of the transposes: a row-major matrix read that way.
CublasLtProduct::Layout CublasLtProduct::layout(cudaDataType_t type, int rows, int columns) {
  cublasLtMatrixLayout_t made = nullptr;
  check(cublasLtMatrixLayoutCreate(&made, type, static_cast<std::uint64_t>(columns), static_cast<std::uint64_t>(rows),
                                   columns),
        "describing a matrix");
  return Layout(made);
}

CublasLtProduct::CublasLtProduct(cudaDataType_t type, cudaDataType_t c_type, int m, int n, int k, bool adds)
    : workspace_(kWorkspaceBytes), beta_(adds ? 1.0f : 0.0f) {
  cublasLtHandle_t handle = nullptr;
  check(cublasLtCreate(&handle), "starting");
  handle_.reset(handle);
  cublasLtMatmulDesc_t product = nullptr;
  check(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F), "describing the product");
  product_.reset(product);
  a_ = layout(type, m, k);
  b_ = layout(type, k, n);
  c_ = layout(c_type, m, n);

  cublasLtMatmulPreference_t wish = nullptr;
  check(cublasLtMatmulPreferenceCreate(&wish), "making a preference");
  const Owner<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy> owned(wish);
  check(cublasLtMatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspaceBytes,
                                             sizeof kWorkspaceBytes),
        "limiting the workspace");
  cublasLtMatmulHeuristicResult_t found{};
  int count = 0;
  check(
      cublasLtMatmulAlgoGetHeuristic(handle, product, b_.get(), a_.get(), c_.get(), c_.get(), wish, 1, &found, &count),
      "choosing an algorithm");
  if (count == 0) throw std::runtime_error("cuBLASLt has no algorithm for this product");
  algorithm_ = found.algo;
}

void CublasLtProduct::run(const void* a, const void* b, void* c, cudaStream_t stream) const {
  const float alpha = 1;
  check(cublasLtMatmul(handle_.get(), product_.get(), &alpha, b, b_.get(), a, a_.get(), &beta_, c, c_.get(), c,
                       c_.get(), &algorithm_, workspace_.data(), kWorkspaceBytes, stream),
        "the product");
}

}  // namespace kernels
