// SPDX-License-Identifier: Apache-2.0
// Third generation: tiles of kTileRows x kTileColumns sums in vector registers, and panels of B that stay in cache.
// Built twice in one program, for AVX2 with FMA and for the plain architecture; the processor chooses at run time.
#include <algorithm>

#include "kernels/bsr_gemm/variants.hpp"

#define KERNELS_INLINE __attribute__((always_inline)) inline

namespace kernels {
namespace {

constexpr int kLanes = 8;
constexpr int kTileRows = 4;
constexpr int kTileColumns = 2 * kLanes;
constexpr int kPanelColumns = 128;

// Eight floats that may lie anywhere in memory.
typedef float Vector __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));

struct Tile {
  int block_row, row, n;  // first row of the tile within its block row; columns of B and C
  const float* b;         // at the tile's first column
  float* c;               // at the tile's first element
};

template <int kRows, int kVectors>
KERNELS_INLINE void multiply_tile(const BsrMatrix& a, const Tile& tile) {
  Vector sums[kRows][kVectors] = {};
  for (int block = a.row_begin[tile.block_row]; block < a.row_begin[tile.block_row + 1]; ++block) {
    const float* values = &a.values[(static_cast<long>(block) * a.block_rows + tile.row) * a.block_columns];
    const int column0 = a.block_column[block] * a.block_columns;
    const int columns = std::min(a.block_columns, a.columns - column0);
    for (int k = 0; k < columns; ++k) {
      const float* b_row = tile.b + static_cast<long>(column0 + k) * tile.n;
      for (int row = 0; row < kRows; ++row)
        for (int v = 0; v < kVectors; ++v)
          sums[row][v] += values[row * a.block_columns + k] * *reinterpret_cast<const Vector*>(b_row + v * kLanes);
    }
  }
  for (int row = 0; row < kRows; ++row)
    for (int v = 0; v < kVectors; ++v)
      *reinterpret_cast<Vector*>(tile.c + static_cast<long>(row) * tile.n + v * kLanes) = sums[row][v];
}

// The last columns, where no vector fits.
KERNELS_INLINE void multiply_element(const BsrMatrix& a, const Tile& tile) {
  float sum = 0;
  for (int block = a.row_begin[tile.block_row]; block < a.row_begin[tile.block_row + 1]; ++block) {
    const float* values = &a.values[(static_cast<long>(block) * a.block_rows + tile.row) * a.block_columns];
    const int column0 = a.block_column[block] * a.block_columns;
    const int columns = std::min(a.block_columns, a.columns - column0);
    for (int k = 0; k < columns; ++k) sum += values[k] * tile.b[static_cast<long>(column0 + k) * tile.n];
  }
  *tile.c = sum;
}

template <int kRows>
KERNELS_INLINE void multiply_strip(const BsrMatrix& a, Tile tile, int columns) {
  const Tile first = tile;
  int j = 0;
  for (; j + kTileColumns <= columns; j += kTileColumns) {
    tile.b = first.b + j, tile.c = first.c + j;
    multiply_tile<kRows, 2>(a, tile);
  }
  for (; j + kLanes <= columns; j += kLanes) {
    tile.b = first.b + j, tile.c = first.c + j;
    multiply_tile<kRows, 1>(a, tile);
  }
  for (; j < columns; ++j)
    for (int row = 0; row < kRows; ++row) {
      tile.row = first.row + row;
      tile.b = first.b + j, tile.c = first.c + static_cast<long>(row) * first.n + j;
      multiply_element(a, tile);
    }
}

KERNELS_INLINE void multiply(const BsrMatrix& a, const float* b, int n, float* c) {
  for (int panel = 0; panel < n; panel += kPanelColumns) {
    const int columns = std::min(kPanelColumns, n - panel);
    for (int block_row = 0; block_row < a.block_row_count(); ++block_row) {
      const int row0 = block_row * a.block_rows;
      const int rows = std::min(a.block_rows, a.rows - row0);
      for (int row = 0; row < rows;) {
        const Tile tile{block_row, row, n, b + panel, c + static_cast<long>(row0 + row) * n + panel};
        if (row + kTileRows <= rows) {
          multiply_strip<kTileRows>(a, tile, columns);
          row += kTileRows;
        } else {
          multiply_strip<1>(a, tile, columns);
          row += 1;
        }
      }
    }
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void multiply_avx2(const BsrMatrix& a, const float* b, int n, float* c) {
  multiply(a, b, n, c);
}
#endif

void multiply_portable(const BsrMatrix& a, const float* b, int n, float* c) { multiply(a, b, n, c); }

}  // namespace

void bsr_gemm_vectorized(const BsrMatrix& a, const float* b, int n, float* c) {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx2) return multiply_avx2(a, b, n, c);
#endif
  multiply_portable(a, b, n, c);
}

}  // namespace kernels
