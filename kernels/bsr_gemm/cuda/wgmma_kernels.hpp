// SPDX-License-Identifier: Apache-2.0
#pragma once

// The compiled forms of the wgmma kernel, one list for each data type. Only wgmma.cu launches them.

#include <cuda.h>

#include <span>

#include "kernels/bsr_gemm/cuda/wgmma_config.hpp"

namespace kernels::bsr {

struct WgmmaArguments {
  CUtensorMap a, b, c;   // values as (blocks x block rows) x block columns; B; C
  const Tile* tiles;     // of all workers
  const int* first;      // per worker; one more at the end
  const int* row_begin;  // per block row; one more at the end
  const int* order;      // per block its column; where block rows are grouped, the groups' steps
  int rows, block_rows, block_columns, n;
};

struct WgmmaKernel {
  WgmmaConfig config;
  void (*kernel)(WgmmaArguments);
  int threads, shared_bytes;
  int group_rows;                         // block rows that are taken together; 1 where each is alone
  int a_box_rows;                         // rows that one load of A brings; a block of a cluster loads its share
  int store_box_columns, store_box_rows;  // of one store to C
};
inline constexpr int kBBoxColumns = 64;  // columns that one load of B brings: a row of 128 bytes

[[nodiscard]] std::span<const WgmmaKernel> wgmma_kernels_fp16();
[[nodiscard]] std::span<const WgmmaKernel> wgmma_kernels_bf16();

}  // namespace kernels::bsr
