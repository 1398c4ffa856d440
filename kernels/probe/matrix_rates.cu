// SPDX-License-Identifier: Apache-2.0
#include "kernels/probe/matrix_rates.hpp"

#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <memory>
#include <optional>
#include <type_traits>

#include "kernels/bench/device.hpp"
#include "kernels/bench/random.hpp"
#include "kernels/probe/stopwatch.hpp"

namespace kernels {
namespace {

constexpr std::size_t kWorkspaceBytes = 64u << 20;

struct Type {
  const char* name;
  cudaDataType_t in, out;
  cublasComputeType_t compute;
  cudaDataType_t scale;
  std::size_t in_bytes, out_bytes;
  int size;  // of the square operands
};
constexpr Type kTypes[] = {
    {"fp16", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F, 2, 2, 8192},
    {"bf16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, 2, 2, 8192},
    {"tf32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, 4, 4, 8192},
    {"fp8", CUDA_R_8F_E4M3, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, 1, 2, 8192},
    {"fp64", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F, 8, 8, 4096},
};

template <class T>
__global__ void fill_kernel(T* data, std::size_t count, std::uint64_t seed) {
  const std::size_t step = std::size_t{blockDim.x} * gridDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    data[i] = static_cast<T>(bench::random_value(seed, i));
}

template <class T>
void fill(void* data, std::size_t count, std::uint64_t seed) {
  fill_kernel<<<4096, 256>>>(static_cast<T*>(data), count, seed);
  bench::check(cudaGetLastError(), "filling an operand");
}

void fill(cudaDataType_t type, void* data, std::size_t count, std::uint64_t seed) {
  switch (type) {
    case CUDA_R_16F: return fill<__half>(data, count, seed);
    case CUDA_R_16BF: return fill<__nv_bfloat16>(data, count, seed);
    case CUDA_R_8F_E4M3: return fill<__nv_fp8_e4m3>(data, count, seed);
    case CUDA_R_64F: return fill<double>(data, count, seed);
    default: return fill<float>(data, count, seed);
  }
}

template <auto kDestroy>
struct Destroy {
  template <class T>
  void operator()(T* handle) const noexcept {
    (void)kDestroy(handle);
  }
};
template <class T, auto kDestroy>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, Destroy<kDestroy>>;

using Library = Owned<cublasLtHandle_t, cublasLtDestroy>;
using Operation = Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using Layout = Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using Preference = Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

Layout make_layout(cudaDataType_t type, int size) {
  cublasLtMatrixLayout_t made = nullptr;
  (void)cublasLtMatrixLayoutCreate(&made, type, size, size, size);
  return Layout(made);
}

// A is transposed: the one form that fp8 has.
Operation make_operation(const Type& type) {
  cublasLtMatmulDesc_t made = nullptr;
  (void)cublasLtMatmulDescCreate(&made, type.compute, type.scale);
  const cublasOperation_t transposed = CUBLAS_OP_T;
  (void)cublasLtMatmulDescSetAttribute(made, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed);
  return Operation(made);
}

std::optional<cublasLtMatmulHeuristicResult_t> choose(cublasLtHandle_t library, const Operation& operation,
                                                      const Layout& in, const Layout& out) {
  cublasLtMatmulPreference_t made = nullptr;
  (void)cublasLtMatmulPreferenceCreate(&made);
  const Preference preference(made);
  (void)cublasLtMatmulPreferenceSetAttribute(made, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspaceBytes,
                                             sizeof kWorkspaceBytes);
  cublasLtMatmulHeuristicResult_t chosen{};
  int found = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(library, operation.get(), in.get(), in.get(), out.get(),
                                                               out.get(), made, 1, &chosen, &found);
  if (status != CUBLAS_STATUS_SUCCESS || found == 0) return std::nullopt;
  return chosen;
}

std::optional<double> rate_of(cublasLtHandle_t library, const Type& type) {
  const std::size_t count = static_cast<std::size_t>(type.size) * type.size;
  const bench::DeviceMemory a(count * type.in_bytes), b(count * type.in_bytes), c(count * type.out_bytes);
  const bench::DeviceMemory workspace(kWorkspaceBytes);
  fill(type.in, a.data(), count, 1);
  fill(type.in, b.data(), count, 2);
  const Operation operation = make_operation(type);
  const Layout in = make_layout(type.in, type.size), out = make_layout(type.out, type.size);
  const auto chosen = choose(library, operation, in, out);
  if (!chosen) return std::nullopt;

  const float one = 1, zero = 0;
  const double one64 = 1, zero64 = 0;
  const bool wide = type.scale == CUDA_R_64F;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  const double seconds = median_seconds([&] {
    status =
        cublasLtMatmul(library, operation.get(), wide ? static_cast<const void*>(&one64) : &one, a.data(), in.get(),
                       b.data(), in.get(), wide ? static_cast<const void*>(&zero64) : &zero, c.data(), out.get(),
                       c.data(), out.get(), &chosen->algo, workspace.data(), workspace.bytes(), nullptr);
  });
  if (status != CUBLAS_STATUS_SUCCESS || seconds <= 0) return std::nullopt;
  return 2.0 * static_cast<double>(count) * type.size / seconds;
}

}  // namespace

std::map<std::string, double> matrix_rates() {
  std::map<std::string, double> rates;
  cublasLtHandle_t handle = nullptr;
  if (cublasLtCreate(&handle) != CUBLAS_STATUS_SUCCESS) return rates;
  const Library library(handle);
  for (const Type& type : kTypes)
    if (const auto rate = rate_of(handle, type)) rates[type.name] = *rate;
  return rates;
}

}  // namespace kernels
