// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which tile a GEMM takes: the larger one is faster once there are enough of them to fill the GPU.

namespace kernels {

struct GemmConfig {
  int tile = 128;  // rows and columns of C of one block
  int blocks_m = 1, blocks_n = 1;
};

inline constexpr int kGemmTiles[] = {128, 64};
inline constexpr int kGemmDepth = 16;  // k of one step of both kernels: the unit in which K may grow

[[nodiscard]] constexpr int gemm_blocks(int size, int tile) { return (size + tile - 1) / tile; }

[[nodiscard]] constexpr GemmConfig gemm_config(int m, int n, int multiprocessors) {
  const int tile = gemm_blocks(m, 128) * gemm_blocks(n, 128) >= multiprocessors ? 128 : 64;
  return {tile, gemm_blocks(m, tile), gemm_blocks(n, tile)};
}

}  // namespace kernels
