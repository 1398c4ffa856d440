// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/cuda/fuzz.hpp"

#include <vector>

#include "kernels/common/random.hpp"

namespace kernels::bsr {
namespace {

// The sizes that kernels are made for come up more often than odd ones.
constexpr int kBlocks[] = {32, 64, 128, 32, 64, 128, 16, 48, 96, 8, 5, 21, 1};
constexpr double kDensities[] = {0, 0.05, 0.125, 0.25, 0.5, 1};
constexpr int kBlocksMax = 6, kColumnsMax = 700;

int below(Random& random, int limit) { return static_cast<int>(random.bits() % static_cast<unsigned>(limit)); }

template <class T, std::size_t kCount>
T one_of(Random& random, const T (&choices)[kCount]) {
  return choices[below(random, kCount)];
}

// What is tried to make a shape smaller, the boldest first.
std::vector<Shape> smaller(const Shape& shape) {
  std::vector<Shape> tries;
  const auto add = [&](int Shape::*size, int value) {
    Shape next = shape;
    next.*size = value;
    if (value > 0 && value < shape.*size) tries.push_back(next);
  };
  add(&Shape::m, shape.m / shape.block_rows / 2 * shape.block_rows);
  add(&Shape::k, shape.k / shape.block_columns / 2 * shape.block_columns);
  add(&Shape::n, shape.n / 2);
  add(&Shape::m, shape.m - shape.block_rows);
  add(&Shape::k, shape.k - shape.block_columns);
  add(&Shape::n, shape.n / 64 * 64);
  add(&Shape::n, shape.n - 8);
  add(&Shape::n, shape.n - 1);
  Shape plain = shape;
  plain.empty_rows = 0, plain.scale_bits = 0;
  if (shape.empty_rows > 0 || shape.scale_bits > 0) tries.push_back(plain);
  return tries;
}

}  // namespace

Shape random_shape(std::uint64_t seed) {
  Random random(seed);
  const int block_rows = one_of(random, kBlocks), block_columns = one_of(random, kBlocks);
  Shape shape{.name = "fuzz",
              .m = block_rows * (1 + below(random, kBlocksMax)),
              .n = 1 + below(random, kColumnsMax),
              .k = block_columns * (1 + below(random, kBlocksMax)),
              .block_rows = block_rows,
              .block_columns = block_columns};
  if (below(random, 4) != 0) shape.n = (shape.n + 7) / 8 * 8;  // what the tensor copy engine takes
  shape.density = one_of(random, kDensities);
  shape.empty_rows = below(random, 3) == 0 ? 0.5 : 0;
  shape.scale_bits = below(random, 4);
  return shape;
}

Shape smallest_failing(Shape shape, const std::function<bool(const Shape&)>& fails) {
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    for (const Shape& next : smaller(shape))
      if (fails(next)) {
        shape = next;
        shrunk = true;
        break;
      }
  }
  return shape;
}

}  // namespace kernels::bsr
