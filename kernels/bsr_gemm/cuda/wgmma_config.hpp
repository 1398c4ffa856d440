// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which tile the wgmma variant takes for a problem, and the order in which its persistent blocks take tiles. Plain C++:
// needs neither CUDA nor a GPU, and nothing is measured.

#include <string>
#include <vector>

#include "kernels/bsr_gemm/bsr.hpp"

namespace kernels::bsr {

// One thread block computes tile_rows x tile_columns of C, loading `depth` columns of A and rows of B at a time. Tiles
// of 32 rows are computed as the transpose, so that a block's 32 rows become the short side of the instruction.
struct WgmmaConfig {
  int tile_rows = 64, tile_columns = 512;
  int depth = 64;

  friend bool operator==(const WgmmaConfig&, const WgmmaConfig&) = default;
};

[[nodiscard]] std::string to_string(const WgmmaConfig& config);  // ROWSxCOLUMNSxDEPTH

// Why the variant cannot take a problem; nullptr if it can. The copy engine wants rows of a multiple of 16 bytes.
[[nodiscard]] const char* wgmma_refusal(const BsrMatrix& pattern, int n);

// All that can compute a problem which is not refused, for a tuner to choose from.
[[nodiscard]] std::vector<WgmmaConfig> wgmma_candidates(const BsrMatrix& pattern);

// The one to take unmeasured: the largest tile that the block fills, and the greatest depth.
[[nodiscard]] WgmmaConfig wgmma_config(const BsrMatrix& pattern);

// Where a tile begins in C, and its non-zero blocks.
struct Tile {
  int row = 0, column = 0;
  int begin = 0, end = 0;
};

// What each worker (a thread block) computes: tiles first[i] to first[i + 1] of `tiles`, in this order.
struct Schedule {
  std::vector<Tile> tiles;
  std::vector<int> first;
};

// Every tile once, the next one always to the worker that has least to do. Workers that run side by side work on nearly
// the same columns of B, which stay in the L2; the last tiles are handed out heaviest first, so that all end together.
[[nodiscard]] Schedule make_schedule(const BsrMatrix& pattern, int n, int tile_rows, int tile_columns, int workers);

}  // namespace kernels::bsr
