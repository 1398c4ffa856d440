// SPDX-License-Identifier: Apache-2.0
#pragma once

// The problem: C = (A scaled) (B scaled)^T in bf16, of e4m3 operands with K contiguous. A scale of A belongs to 128
// values of a row, one of B to 128 x 128 values; what is left at the ends of K and N has a scale of its own. The
// product of two scales must be finite in fp32. Plain C++; nothing here runs.

#include <cstddef>
#include <cstdint>
#include <string>

namespace kernels::scaled {

inline constexpr int kScaleBlock = 128;
inline constexpr int kSizeUnit = 16;  // of N and K: rows of a multiple of 16 bytes

// batched: `matrices` products of one shape.
// contiguous: the rows of all groups in one A and C of m rows, each group from a multiple of `alignment`.
// masked: an A and a C of m rows for each group, of which the first `rows_of_group` count; the others may be written.
enum class Grouping { batched, contiguous, masked };
[[nodiscard]] const char* to_string(Grouping grouping);

struct Shape {
  int m = 1, n = 16, k = 16, matrices = 1;
  Grouping grouping = Grouping::batched;
  int alignment = 128;  // of contiguous groups

  [[nodiscard]] int k_blocks() const { return (k + kScaleBlock - 1) / kScaleBlock; }
  [[nodiscard]] int n_blocks() const { return (n + kScaleBlock - 1) / kScaleBlock; }
  [[nodiscard]] int a_matrices() const { return grouping == Grouping::contiguous ? 1 : matrices; }
  [[nodiscard]] std::size_t a_count() const { return count(a_matrices(), m, k); }
  [[nodiscard]] std::size_t b_count() const { return count(matrices, n, k); }
  [[nodiscard]] std::size_t c_count() const { return count(a_matrices(), m, n); }
  // Rows from one block of K to the next: the copy engine wants steps of 16 bytes.
  [[nodiscard]] int a_scale_pitch() const { return (m + 3) / 4 * 4; }
  [[nodiscard]] std::size_t a_scale_count() const { return count(a_matrices(), k_blocks(), a_scale_pitch()); }
  [[nodiscard]] std::size_t b_scale_count() const { return count(matrices, n_blocks(), k_blocks()); }

  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  static std::size_t count(int i, int j, int k) {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(j) * static_cast<std::size_t>(k);
  }
};

// MxNxK, or MxNxKxL for several; contiguous and masked ones have the word behind it.
[[nodiscard]] std::string to_string(const Shape& shape);

// Why there is no such product; nullptr if there is.
[[nodiscard]] const char* shape_refusal(const Shape& shape);

// Of all rows; operands, scales and C moved once.
[[nodiscard]] double flops_of(const Shape& shape);
[[nodiscard]] double bytes_of(const Shape& shape);

// Operands in the GPU's memory.
struct Problem {
  Shape shape;
  const void* a = nullptr;             // e4m3: matrix, row, k
  const void* b = nullptr;             // e4m3: matrix, column, k
  const float* a_scales = nullptr;     // matrix, block of k, row (a_scale_pitch)
  const float* b_scales = nullptr;     // matrix, block of columns, block of k
  void* c = nullptr;                   // bf16: matrix, row, column
  const int* group_of_rows = nullptr;  // contiguous: whose each `alignment` rows are; below 0: nobody's, not written
  bool b_is_ready = false;  // the launch in front on the stream does not write B or its scales: they may be read early
  const int* rows_of_group = nullptr;  // masked
};

}  // namespace kernels::scaled
