// SPDX-License-Identifier: Apache-2.0
#pragma once

// One product of every compiled form of wgmma, for the check: D (64 x N) = clear or 2 x A B, by one warpgroup. Operands
// are rows of 128 bytes in the GPU's memory; `left_rows` and `right_rows` say that M or N is contiguous, not K.

#include <cuda_runtime.h>

#include <span>
#include <vector>

namespace kernels::hopper {

inline constexpr int kProductRows = 64, kProductRowBytes = 128;  // M; of an operand stored with K contiguous

enum class Element { fp16, bf16, e4m3 };
[[nodiscard]] constexpr int depth_of(Element element) { return element == Element::e4m3 ? 128 : 64; }

struct ProductForm {
  Element element;
  int n;
  bool from_registers, left_rows, right_rows;
  void (*kernel)(const void* a, const void* b, float* d);
};

[[nodiscard]] std::span<const ProductForm> product_forms();

// Twice the product: the first half clears the sums, the second adds to them.
void multiply(const ProductForm& form, const void* a, const void* b, float* d, cudaStream_t stream);

}  // namespace kernels::hopper
