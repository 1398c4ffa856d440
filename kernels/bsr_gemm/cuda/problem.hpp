// SPDX-License-Identifier: Apache-2.0
#pragma once

// The block-sparse products on a GPU: C = A B with A in BSR form and B, C row by row, all of one 16-bit type; sums are
// kept in fp32 and rounded once. Blocks divide M and K. Every element of C is written, none beside it.

#include <cuda_runtime.h>

#include <functional>
#include <span>

#include "kernels/bsr_gemm/bsr.hpp"

namespace kernels::bsr {

enum class DataType { fp16, bf16 };

// One product's operands. All pointers but `pattern` are of the GPU and must outlive what is prepared from them.
struct Problem {
  DataType type = DataType::fp16;
  const BsrMatrix* pattern = nullptr;  // of the host; its values are not looked at, and only `prepare` reads it
  const int *row_begin = nullptr, *block_column = nullptr;
  const void* values = nullptr;
  const void* b = nullptr;  // columns(A) x n
  void* c = nullptr;        // rows(A) x n
  int n = 0;
};

// Enqueues the product. May be captured into a graph. Owns what it needs beside the operands.
using Launch = std::function<void(cudaStream_t)>;

struct CudaVariant {
  const char* name;
  // Why the variant cannot take a problem; nullptr if it can.
  const char* (*refusal)(const BsrMatrix& pattern, int n);
  // Whatever depends on the pattern alone is done here, once. Throws bench::CudaError.
  Launch (*prepare)(const Problem& problem);
};
[[nodiscard]] std::span<const CudaVariant> cuda_variants();

}  // namespace kernels::bsr
