// SPDX-License-Identifier: Apache-2.0
#pragma once

// The compiled forms of the two wgmma kernels and what each is given. wide.cpp and narrow.cpp launch them.

#include <cuda.h>

#include <span>
#include <string>

#include "kernels/scaled_gemm/scaled_gemm.hpp"
#include "kernels/scaled_gemm/tile_order.hpp"

namespace kernels::scaled {

struct Arguments {
  CUtensorMap a, b, c;      // (matrix) x row x column; the narrow kernel writes C itself
  CUtensorMap a_scale_map;  // (matrix) x block of K x row
  TileOrder order;          // of one matrix, whose every row counts
  Grouping grouping;
  int m, n, matrices, alignment;
  int k_blocks, n_blocks;
  const float* b_scales;
  const int* groups;  // group_of_rows or rows_of_group
  void* output;
  bool b_is_ready;
};

// A cluster of blocks side by side along N shares its rows of A.
struct WideForm {
  int rows, columns, cluster;
  bool turns;                // warpgroups begin their products one after another
  int asked_stages, stages;  // 0 asked: as many as fit
  int store_columns;
  int threads;
  void (*kernel)(Arguments);
  int shared_bytes;
};
[[nodiscard]] std::span<const WideForm> wide_forms();
[[nodiscard]] std::string name_of(const WideForm& form);  // of the configuration

// A cluster of `parts` blocks shares the sum over K of one tile.
struct NarrowForm {
  int rows, columns, parts, threads;
  void (*kernel)(Arguments);
  int shared_bytes;
};
[[nodiscard]] std::span<const NarrowForm> narrow_forms();
[[nodiscard]] std::string name_of(const NarrowForm& form);

}  // namespace kernels::scaled
