// SPDX-License-Identifier: Apache-2.0
// What one can have without writing a kernel: one library call for each non-zero block, which adds to fp32 sums.
#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/bsr_gemm/cuda/rounding.hpp"
#include "kernels/bsr_gemm/cuda/variants.hpp"
#include "kernels/common/cublaslt.hpp"

namespace kernels::bsr {
namespace {

struct Prepared {
  Problem problem;
  BsrMatrix pattern;
  CublasLtProduct product;
  bench::DeviceMemory sums;
};

void run(const Prepared& prepared, cudaStream_t stream) {
  const BsrMatrix& pattern = prepared.pattern;
  const auto *values = static_cast<const char*>(prepared.problem.values),
             *b = static_cast<const char*>(prepared.problem.b);
  auto* sums = static_cast<float*>(prepared.sums.data());
  const std::size_t n = static_cast<std::size_t>(prepared.problem.n);
  const std::size_t block_bytes = static_cast<std::size_t>(pattern.block_rows) * pattern.block_columns * 2;
  bench::check(cudaMemsetAsync(sums, 0, prepared.sums.bytes(), stream), "clearing the sums");
  for (int row = 0; row < pattern.block_row_count(); ++row)
    for (int block = pattern.row_begin[row]; block < pattern.row_begin[row + 1]; ++block)
      prepared.product.run(values + block * block_bytes,
                           b + static_cast<std::size_t>(pattern.block_column[block]) * pattern.block_columns * n * 2,
                           sums + static_cast<std::size_t>(row) * pattern.block_rows * n, stream);
  round_sums(prepared.problem.type, sums, prepared.problem.c, pattern.rows * n, stream);
}

}  // namespace

Launch prepare_cublaslt_per_block(const Problem& problem) {
  const BsrMatrix& pattern = *problem.pattern;
  if (pattern.block_column.empty() || problem.n == 0) return clearing(problem);
  const cudaDataType_t type = problem.type == DataType::fp16 ? CUDA_R_16F : CUDA_R_16BF;
  auto prepared = std::make_shared<const Prepared>(
      problem, pattern, CublasLtProduct(type, CUDA_R_32F, pattern.block_rows, problem.n, pattern.block_columns, true),
      bench::DeviceMemory(static_cast<std::size_t>(pattern.rows) * problem.n * sizeof(float)));
  return [prepared](cudaStream_t stream) { run(*prepared, stream); };
}

}  // namespace kernels::bsr
