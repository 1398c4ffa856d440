// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/cuda/library.hpp"

#include <cublasLt.h>

#include <memory>
#include <stdexcept>
#include <type_traits>

#include "kernels/bench/cuda.hpp"

namespace kernels::scaled {
namespace {

constexpr std::size_t kWorkspaceBytes = 64u << 20;

void check(cublasStatus_t status, const char* where) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuBLASLt: ") + cublasLtGetStatusString(status) + ", at " + where);
}

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

// Column by column, as the library counts.
Layout layout(cudaDataType_t type, int rows, int columns) {
  cublasLtMatrixLayout_t made = nullptr;
  check(cublasLtMatrixLayoutCreate(&made, type, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
                                   rows),
        "describing a matrix");
  return Layout(made);
}

template <class T>
void set(cublasLtMatmulDesc_t product, cublasLtMatmulDescAttributes_t attribute, const T& value) {
  check(cublasLtMatmulDescSetAttribute(product, attribute, &value, sizeof value), "describing the product");
}

// The library computes the transpose: C^T (n x m) = B (k x n, transposed) A (k x m).
struct Product {
  Owner<cublasLtHandle_t, cublasLtDestroy> handle;
  Owner<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy> product;
  Layout a, b, c;
  cublasLtMatmulAlgo_t algorithm{};
  bench::DeviceMemory workspace{kWorkspaceBytes};
  const void *operand_a = nullptr, *operand_b = nullptr;
  void* output = nullptr;

  Product(const Problem& problem, Library library) {
    const Shape& shape = problem.shape;
    cublasLtHandle_t made_handle = nullptr;
    check(cublasLtCreate(&made_handle), "starting");
    handle.reset(made_handle);
    cublasLtMatmulDesc_t made = nullptr;
    check(cublasLtMatmulDescCreate(&made, CUBLAS_COMPUTE_32F, CUDA_R_32F), "describing the product");
    product.reset(made);
    const bool blocks = library == Library::blocks;
    set(made, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    set(made, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, static_cast<const void*>(problem.b_scales));
    set(made, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, static_cast<const void*>(problem.a_scales));
    if (blocks) {
      set(made, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, std::int32_t{CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F});
      set(made, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, std::int32_t{CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F});
    } else {
      set(made, CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
    }
    a = layout(CUDA_R_8F_E4M3, shape.k, shape.m);
    b = layout(CUDA_R_8F_E4M3, shape.k, shape.n);
    c = layout(CUDA_R_16BF, shape.n, shape.m);
    operand_a = problem.a;
    operand_b = problem.b;
    output = problem.c;
    choose();
  }

  void choose() {
    cublasLtMatmulPreference_t wish = nullptr;
    check(cublasLtMatmulPreferenceCreate(&wish), "making a preference");
    const Owner<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy> owned(wish);
    check(cublasLtMatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspaceBytes,
                                               sizeof kWorkspaceBytes),
          "limiting the workspace");
    cublasLtMatmulHeuristicResult_t found{};
    int count = 0;
    check(cublasLtMatmulAlgoGetHeuristic(handle.get(), product.get(), b.get(), a.get(), c.get(), c.get(), wish, 1,
                                         &found, &count),
          "choosing an algorithm");
    if (count == 0) throw std::runtime_error("cuBLASLt has no algorithm for this product");
    algorithm = found.algo;
  }

  void run(cudaStream_t stream) const {
    const float alpha = 1, beta = 0;
    check(cublasLtMatmul(handle.get(), product.get(), &alpha, operand_b, b.get(), operand_a, a.get(), &beta, output,
                         c.get(), output, c.get(), &algorithm, workspace.data(), kWorkspaceBytes, stream),
          "the product");
  }
};

}  // namespace

const char* to_string(Library library) { return library == Library::blocks ? "blocks" : "per_tensor"; }

Launch prepare_library(const Problem& problem, Library library) {
  auto product = std::make_shared<Product>(problem, library);
  return [product](cudaStream_t stream) { product->run(stream); };
}

}  // namespace kernels::scaled
