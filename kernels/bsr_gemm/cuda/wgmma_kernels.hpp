// SPDX-License-Identifier: Apache-2.0
#pragma once

// The compiled forms of the wgmma kernel, one list for each data type. Only wgmma.cu launches them.

#include <cuda.h>

#include <span>

#include "kernels/bsr_gemm/cuda/wgmma_config.hpp"

namespace kernels::bsr {

struct WgmmaArguments {
  CUtensorMap a, b, c;      // values as (blocks x block rows) x block columns; B, in panels if `panels`; C
  const Tile* tiles;        // of all workers
  const int* first;         // per worker; one more at the end
  const int* block_column;  // per block
  int block_rows, block_columns, n;
  bool panels;  // N is a multiple of kBBoxColumns: one copy brings all of B that a stage holds
};

struct WgmmaKernel {
  WgmmaConfig config;
  void (*kernel)(WgmmaArguments);
  int shared_bytes;
  int store_box_columns, store_box_rows;  // of one store to C
};
inline constexpr int kWgmmaThreads = 384;  // one warpgroup loads, two multiply
inline constexpr int kBBoxColumns = 64;    // columns of B side by side in shared memory: a row of 128 bytes

[[nodiscard]] std::span<const WgmmaKernel> wgmma_kernels_fp16();
[[nodiscard]] std::span<const WgmmaKernel> wgmma_kernels_bf16();

}  // namespace kernels::bsr
