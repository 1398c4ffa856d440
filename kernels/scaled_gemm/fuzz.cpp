// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/fuzz.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/common/random.hpp"
#include "kernels/scaled_gemm/codecs.hpp"

namespace kernels::scaled {
namespace {

constexpr int kSizes[] = {1, 7, 64, 65, 100, 128, 129, 200, 256, 257, 300, 511, 640};
constexpr int kUnits[] = {1, 2, 4, 7, 8, 9, 10, 12, 15, 16, 17, 24, 33, 40};  // of kSizeUnit
constexpr double kWorkMax = 20e6;                                             // multiplications in the reference

int below(Random& random, int limit) { return static_cast<int>(random.bits() % static_cast<unsigned>(limit)); }

template <class T, std::size_t kCount>
T one_of(Random& random, const T (&choices)[kCount]) {
  return choices[below(random, kCount)];
}

std::uint8_t operand(Random& random, Content content) {
  if (content == Content::nan && below(random, 20000) == 0) return kE4m3Nan;
  if (content != Content::bytes) return encode_e4m3(kE4m3Max * random.symmetric());
  const auto byte = static_cast<std::uint8_t>(random.bits() >> 32);
  return (byte & 0x7f) == kE4m3Nan ? static_cast<std::uint8_t>(byte ^ 1) : byte;
}

float scale(Random& random, Content content, bool of_a) {
  const float some = std::ldexp(0.5F + static_cast<float>(random.unit()), -8);
  switch (content) {
    case Content::bytes: return std::ldexp(some, below(random, 61) - 30) * (below(random, 4) == 0 ? -1.0F : 1.0F);
    case Content::zeros: return below(random, 3) == 0 ? 0.0F : some;
    case Content::extreme: return std::ldexp(some, of_a ? 118 : -118);
    case Content::nan: return below(random, 200) == 0 ? std::nanf("") : some;
    case Content::plain: break;
  }
  return some;
}

// Blocks of one row or of 128 in which every operand is zero.
void clear_blocks(Random& random, std::vector<std::uint8_t>& operands, int k) {
  for (std::size_t row = 0; row < operands.size() / static_cast<std::size_t>(k); ++row)
    for (int first = 0; first < k; first += kScaleBlock)
      if (below(random, 3) == 0)
        std::fill_n(operands.begin() + static_cast<std::ptrdiff_t>(row) * k + first, std::min(kScaleBlock, k - first),
                    std::uint8_t{0});
}

double work(const CheckProblem& problem) { return flops_of(problem.shape) / 2; }

std::vector<CheckProblem> smaller(const CheckProblem& problem) {
  std::vector<CheckProblem> tries;
  const auto add = [&](int Shape::*size, int value, int unit) {
    CheckProblem next = problem;
    next.shape.*size = value / unit * unit;
    if (next.shape.*size < 1 || next.shape.*size >= problem.shape.*size) return;
    for (int& rows : next.rows) rows = std::min(rows, next.shape.m);
    tries.push_back(next.completed());
  };
  if (problem.shape.grouping == Grouping::batched) add(&Shape::matrices, 1, 1);
  if (problem.shape.grouping != Grouping::contiguous) {
    add(&Shape::m, problem.shape.m / 2, 1);
    add(&Shape::m, problem.shape.m - 1, 1);
  }
  add(&Shape::n, problem.shape.n / 2, kSizeUnit);
  add(&Shape::k, problem.shape.k / 2, kSizeUnit);
  add(&Shape::n, problem.shape.n - kSizeUnit, kSizeUnit);
  add(&Shape::k, problem.shape.k - kSizeUnit, kSizeUnit);
  if (problem.content != Content::plain) {
    tries.push_back(problem);
    tries.back().content = Content::plain;
  }
  return tries;
}

}  // namespace

const char* to_string(Content content) {
  switch (content) {
    case Content::plain: return "plain";
    case Content::bytes: return "bytes";
    case Content::zeros: return "zeros";
    case Content::extreme: return "extreme";
    case Content::nan: return "nan";
  }
  return "?";
}

CheckProblem CheckProblem::completed() const {
  CheckProblem made = *this;
  if (shape.grouping == Grouping::batched) return made;
  made.shape.matrices = static_cast<int>(rows.size());
  if (shape.grouping == Grouping::masked) return made;
  made.shape.m = shape.alignment;
  for (const int one : rows) made.shape.m += (one + shape.alignment - 1) / shape.alignment * shape.alignment;
  return made;
}

std::string to_string(const CheckProblem& problem) {
  std::string text = to_string(problem.shape);
  for (const int rows : problem.rows)
    text.append(&rows == problem.rows.data() ? ":" : ",").append(std::to_string(rows));
  if (problem.shape.grouping == Grouping::contiguous) text.append("@").append(std::to_string(problem.shape.alignment));
  return text.append(" ").append(to_string(problem.content));
}

HostOperands operands_of(const CheckProblem& problem, std::uint64_t seed) {
  const Shape& shape = problem.shape;
  const Content content = problem.content;
  Random random(seed);
  HostOperands made;
  for (std::size_t i = 0; i < shape.a_count(); ++i) made.a.push_back(operand(random, content));
  for (std::size_t i = 0; i < shape.b_count(); ++i) made.b.push_back(operand(random, content));
  for (std::size_t i = 0; i < shape.a_scale_count(); ++i) made.a_scales.push_back(scale(random, content, true));
  for (std::size_t i = 0; i < shape.b_scale_count(); ++i) made.b_scales.push_back(scale(random, content, false));
  if (content == Content::zeros) clear_blocks(random, made.a, shape.k), clear_blocks(random, made.b, shape.k);
  if (shape.grouping == Grouping::masked) made.groups = problem.rows;
  if (shape.grouping != Grouping::contiguous) return made;
  for (std::size_t group = 0; group < problem.rows.size(); ++group)
    made.groups.insert(made.groups.end(),
                       static_cast<std::size_t>((problem.rows[group] + shape.alignment - 1) / shape.alignment),
                       static_cast<int>(group));
  made.groups.push_back(-1);
  return made;
}

CheckProblem random_problem(std::uint64_t seed) {
  constexpr Content kContents[] = {Content::plain, Content::plain,   Content::bytes,
                                   Content::zeros, Content::extreme, Content::nan};
  Random random(seed);
  CheckProblem problem;
  problem.content = one_of(random, kContents);
  Shape& shape = problem.shape;
  shape.m = one_of(random, kSizes);
  shape.n = kSizeUnit * one_of(random, kUnits);
  shape.k = kSizeUnit * one_of(random, kUnits);
  const int grouping = below(random, 4);
  shape.grouping = grouping == 0 ? Grouping::contiguous : grouping == 1 ? Grouping::masked : Grouping::batched;
  shape.alignment = 128 * (1 + below(random, 2));
  shape.matrices = 1 + below(random, 3);
  if (shape.grouping == Grouping::batched) {
    while (work(problem) > kWorkMax && shape.matrices > 1) --shape.matrices;
    while (work(problem) > kWorkMax) shape.m /= 2;
    return problem;
  }
  for (int i = 0; i < shape.matrices; ++i)
    problem.rows.push_back(below(random, 4) == 0 ? 0 : below(random, shape.m + 1));
  while (work(problem.completed()) > kWorkMax && shape.k > kSizeUnit) shape.k = std::max(shape.k / 2 / 16 * 16, 16);
  return problem.completed();
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

}  // namespace kernels::scaled
