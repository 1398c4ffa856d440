// SPDX-License-Identifier: Apache-2.0
// The peer that ignores the zeros' being zeros: A written out in full, once, then one library product.
#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/bsr_gemm/cuda/variants.hpp"
#include "kernels/common/cublaslt.hpp"

namespace kernels::bsr {
namespace {

constexpr std::size_t kElementBytes = 2;

bench::DeviceMemory expanded(const Problem& problem) {
  const BsrMatrix& pattern = *problem.pattern;
  const std::size_t columns = static_cast<std::size_t>(pattern.columns);
  const std::size_t height = static_cast<std::size_t>(pattern.block_rows);
  const std::size_t width_bytes = pattern.block_columns * kElementBytes;
  bench::DeviceMemory full(pattern.rows * columns * kElementBytes);
  bench::check(cudaMemset(full.data(), 0, full.bytes()), "clearing the full matrix");
  for (int row = 0; row < pattern.block_row_count(); ++row)
    for (int block = pattern.row_begin[row]; block < pattern.row_begin[row + 1]; ++block) {
      const std::size_t at = row * height * columns + pattern.block_column[block] * pattern.block_columns;
      bench::check(cudaMemcpy2DAsync(static_cast<char*>(full.data()) + at * kElementBytes, columns * kElementBytes,
                                     static_cast<const char*>(problem.values) + block * height * width_bytes,
                                     width_bytes, width_bytes, height, cudaMemcpyDeviceToDevice),
                   "writing out a block");
    }
  bench::check(cudaDeviceSynchronize(), "writing out the blocks");
  return full;
}

struct Prepared {
  bench::DeviceMemory a;
  CublasLtProduct product;
};

}  // namespace

const char* library_refusal(const BsrMatrix& pattern, int n) {
  if (n % 8 != 0 || pattern.block_columns % 8 != 0) return "N and the blocks' columns must be multiples of 8";
  return nullptr;
}

Launch prepare_dense(const Problem& problem) {
  const BsrMatrix& pattern = *problem.pattern;
  if (pattern.block_column.empty() || problem.n == 0) return clearing(problem);
  const cudaDataType_t type = problem.type == DataType::fp16 ? CUDA_R_16F : CUDA_R_16BF;
  auto prepared = std::make_shared<const Prepared>(
      expanded(problem), CublasLtProduct(type, type, pattern.rows, problem.n, pattern.columns, false));
  const void* b = problem.b;
  void* c = problem.c;
  return [=](cudaStream_t stream) { prepared->product.run(prepared->a.data(), b, c, stream); };
}

}  // namespace kernels::bsr
