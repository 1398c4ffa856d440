// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the tensor copy engine is told of a tensor in the GPU's memory.

#include <cuda.h>

#include <span>

namespace kernels {

// Elements of 8 (UINT8), 16 (FLOAT16, BFLOAT16) or 32 bits (FLOAT32) that are moved in boxes: sizes with the fastest
// first, the bytes from one to the next of all but the first (multiples of 16). The swizzle is as wide as a row of the
// box where that is 128 or 64 bytes; wider boxes have none. Throws where the driver refuses.
[[nodiscard]] CUtensorMap tensor_map(CUtensorMapDataType type, const void* elements, std::span<const cuuint64_t> size,
                                     std::span<const cuuint64_t> steps, std::span<const cuuint32_t> box);

}  // namespace kernels
