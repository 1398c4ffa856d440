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

// Sequences of their own are left away, or made half as long.
void add_shorter(const CheckProblem& problem, std::vector<CheckProblem>& tries) {
  for (std::size_t i = 0; i < problem.sequences.size() && problem.sequences.size() > 1; ++i) {
    CheckProblem next = problem;
    next.sequences.erase(next.sequences.begin() + static_cast<std::ptrdiff_t>(i));
    if (next.packed().shape.queries > 0) tries.push_back(next.packed());
  }
  for (std::size_t i = 0; i < problem.sequences.size(); ++i)
    for (int SequenceLength::*size : {&SequenceLength::queries, &SequenceLength::keys})
      for (const int value : {problem.sequences[i].*size / 2, problem.sequences[i].*size - 1}) {
        CheckProblem next = problem;
        next.sequences[i].*size = value;
        if (value >= 0 && value < problem.sequences[i].*size && next.packed().shape.queries > 0)
          tries.push_back(next.packed());
      }
}

std::vector<CheckProblem> smaller(const CheckProblem& problem) {
  std::vector<CheckProblem> tries;
  add_shorter(problem, tries);
  const bool packed = problem.layout() == Layout::packed;
  const auto add = [&](int Shape::*size, int value) {
    if (packed && size != &Shape::heads) return;
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
  if (problem.rows_first) text.append(" ROWS_FIRST");
  if (!problem.sequences.empty()) text.append(" SEQUENCES");
  for (const SequenceLength& one : problem.sequences)
    text.append(&one == problem.sequences.data() ? "=" : ",")
        .append(std::to_string(one.queries))
        .append(":")
        .append(std::to_string(one.keys));
  if (problem.pattern) {
    text.append(" PATTERN=").append(std::to_string(problem.pattern->rows)).append("x");
    text.append(std::to_string(problem.pattern->columns)).append("@").append(std::to_string(problem.pattern->density));
    if (problem.pattern->per_head) text.append("/head");
    if (problem.pattern->per_batch) text.append("/batch");
  }
  return text;
}

double flops_of(const CheckProblem& problem) {
  return problem.sequences.empty() ? flops_of(problem.shape) : flops_of(problem.shape, HostOffsets(problem.sequences));
}

CheckProblem CheckProblem::packed() const {
  CheckProblem result = *this;
  if (!sequences.empty()) result.shape = HostOffsets(sequences).packed(shape);
  return result;
}

namespace {

// Some of one shape's queries and keys, and some of others; with and without keys.
std::vector<SequenceLength> random_sequences(Random& random, const Shape& shape) {
  std::vector<SequenceLength> sequences;
  double most = kWorkMax / (static_cast<double>(shape.heads) * shape.depth);
  const int count = 1 + below(random, 9);
  while (static_cast<int>(sequences.size()) < count) {
    SequenceLength one{one_of(random, kSizes), one_of(random, kSizes)};
    if (below(random, 3) != 0) one.keys = one.queries;
    if (below(random, 8) == 0) one.queries = 0;
    if (below(random, 8) == 0) one.keys = 0;
    most -= static_cast<double>(one.queries) * one.keys;
    if (most < 0) one = {1, 1};
    sequences.push_back(one);
  }
  sequences.push_back({1 + below(random, 64), 1 + below(random, 64)});
  return sequences;
}

PatternKind random_pattern_kind(Random& random) {
  constexpr int kColumns[] = {64, 128, 192, 256};
  constexpr double kDensities[] = {0, 0.125, 0.5, 1};
  return {.rows = 128 * (1 + below(random, 2)),
          .columns = one_of(random, kColumns),
          .density = one_of(random, kDensities),
          .empty_rows = 0.125,
          .diagonal = below(random, 2) == 1,
          .per_head = below(random, 2) == 1,
          .per_batch = below(random, 2) == 1};
}

}  // namespace

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
  const int layout = below(random, 3);
  if (layout == 1) problem.pattern = random_pattern_kind(random);
  if (layout != 2) return problem;
  if (shape.causal && shape.diagonal != 0) shape.diagonal = below(random, 101) - 50;
  problem.sequences = random_sequences(random, shape);
  return problem.packed();
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
