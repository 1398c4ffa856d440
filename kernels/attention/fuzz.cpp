// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/fuzz.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/common/random.hpp"

namespace kernels::attention {
namespace {

constexpr int kDepths[] = {64, 64, 128, 128, 256};
// Tiles have 128 to 256 queries and 64 to 128 keys: sizes about their edges come up often.
constexpr int kSizes[] = {1, 2, 63, 64, 65, 127, 128, 129, 192, 255, 256, 257, 300, 384, 511, 640};
constexpr float kSharpness[] = {1, 1, 1, 0.01F, 30};
constexpr int kWorkMax = 12'000'000;  // of multiplications in the reference

int below(Random& random, int limit) { return static_cast<int>(random.bits() % static_cast<unsigned>(limit)); }

template <class T, std::size_t kCount>
T one_of(Random& random, const T (&choices)[kCount]) {
  return choices[below(random, kCount)];
}

double work(const Shape& shape) { return flops_of(shape) / 4; }

std::vector<CheckProblem> smaller(const CheckProblem& problem) {
  std::vector<CheckProblem> tries;
  const auto add = [&](int Shape::*size, int value) {
    CheckProblem next = problem;
    next.shape.*size = value;
    if (value > 0 && value < problem.shape.*size && shape_refusal(next.shape) == nullptr) tries.push_back(next);
  };
  add(&Shape::batch, 1);
  add(&Shape::heads, problem.shape.key_heads);
  add(&Shape::queries, problem.shape.queries / 2);
  add(&Shape::keys, problem.shape.keys / 2);
  add(&Shape::queries, problem.shape.queries - 1);
  add(&Shape::keys, problem.shape.keys - 1);
  if (problem.shape.heads == problem.shape.key_heads && problem.shape.heads > 1) {
    CheckProblem next = problem;
    next.shape.heads = next.shape.key_heads = 1;
    tries.push_back(next);
  }
  if (problem.shape.causal && problem.shape.diagonal != 0) {
    CheckProblem next = problem;
    next.shape.diagonal = 0;
    tries.push_back(next);
  }
  return tries;
}

}  // namespace

float CheckProblem::scale() const { return sharpness / std::sqrt(static_cast<float>(shape.depth)); }

std::string to_string(const CheckProblem& problem) {
  std::string text = "SHAPE=";
  text.append(to_string(problem.shape));
  if (problem.sharpness != 1) text.append(" SHARPNESS=").append(std::to_string(problem.sharpness));
  return problem.rows_first ? text.append(" ROWS_FIRST") : text;
}

CheckProblem random_problem(std::uint64_t seed) {
  Random random(seed);
  CheckProblem problem;
  problem.sharpness = one_of(random, kSharpness);
  problem.rows_first = below(random, 2) == 1;
  Shape& shape = problem.shape;
  shape.depth = one_of(random, kDepths);
  shape.queries = one_of(random, kSizes);
  shape.keys = below(random, 3) == 0 ? one_of(random, kSizes) : shape.queries;
  shape.causal = below(random, 2) == 1;
  if (shape.causal && below(random, 3) == 0) shape.diagonal = below(random, 2 * shape.keys) - shape.keys;
  shape.key_heads = 1 + below(random, 3);
  shape.heads = shape.key_heads * (below(random, 3) == 0 ? 4 : 1);
  shape.batch = 1 + below(random, 3);
  while (work(shape) > kWorkMax && shape.batch > 1) --shape.batch;
  if (work(shape) > kWorkMax) shape.heads = shape.key_heads = 1;
  return problem;
}

CheckProblem smallest_failing(CheckProblem problem, const std::function<bool(const CheckProblem&)>& fails) {
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    for (const CheckProblem& next : smaller(problem))
      if (fails(next)) {
        problem = next;
        shrunk = true;
        break;
      }
  }
  return problem;
}

}  // namespace kernels::attention
