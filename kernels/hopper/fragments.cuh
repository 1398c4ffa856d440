// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums of a matrix product on their way out of registers: pairs of 16-bit values, and stores of 8 x 8 matrices. Device
// code of sm_90 only.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace kernels::hopper {

__device__ __forceinline__ std::uint32_t pack(__half, float low, float high) {
  const __half2 both = __floats2half2_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&both);
}
__device__ __forceinline__ std::uint32_t pack(__nv_bfloat16, float low, float high) {
  const __nv_bfloat162 both = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&both);
}

// Four 8 x 8 matrices of 16-bit values from registers to the rows at the lanes' addresses.
__device__ __forceinline__ void store_matrices(std::uint32_t row, const std::uint32_t (&values)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(values[0]),
               "r"(values[1]), "r"(values[2]), "r"(values[3])
               : "memory");
}
__device__ __forceinline__ void store_transposed(std::uint32_t row, const std::uint32_t (&values)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(values[0]),
               "r"(values[1]), "r"(values[2]), "r"(values[3])
               : "memory");
}

}  // namespace kernels::hopper
