// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/cuda/suite_case.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "kernels/common/inject.hpp"
#include "kernels/scaled_gemm/cuda/fill.hpp"
#include "kernels/scaled_gemm/inputs.hpp"

namespace kernels::scaled {
namespace {

constexpr int kSampled = 16;  // elements whose error is stated
constexpr std::uint64_t kSeedA = bench::kSeed, kSeedB = kSeedA + 1, kSeedAScales = kSeedA + 2,
                        kSeedBScales = kSeedA + 3;

std::vector<int> groups_of(const CaseOf& of) {
  const Shape& shape = of.shape;
  if (shape.grouping == Grouping::masked) return std::vector<int>(static_cast<std::size_t>(shape.matrices), of.rows);
  std::vector<int> groups;
  const int blocks = shape.m / shape.alignment;
  for (int block = 0; block < blocks; ++block) groups.push_back(block * shape.matrices / blocks);
  return groups;
}

// In double precision, from the streams that filled the operands.
double element(const Shape& shape, int matrix, int group, int row, int column) {
  const auto index = [](int i, int size, int j) { return static_cast<std::uint64_t>(i) * size + j; };
  const std::uint64_t a = index(matrix, shape.m, row) * shape.k, b = index(group, shape.n, column) * shape.k;
  double value = 0;
  for (int block = 0; block < shape.k_blocks(); ++block) {
    double sum = 0;
    for (int i = block * kScaleBlock; i < std::min((block + 1) * kScaleBlock, shape.k); ++i)
      sum += static_cast<double>(decode_e4m3(operand_at(kSeedA, a + i))) * decode_e4m3(operand_at(kSeedB, b + i));
    const std::uint64_t of_a = index(matrix, shape.k_blocks(), block) * shape.a_scale_pitch() + row;
    const std::uint64_t of_b = index(group, shape.n_blocks(), column / kScaleBlock) * shape.k_blocks() + block;
    value += sum * scale_at(kSeedAScales, of_a) * scale_at(kSeedBScales, of_b);
  }
  return value;
}

bench::Errors sampled(const CaseOf& of, const std::vector<int>& groups, const std::uint16_t* c) {
  const Shape& shape = of.shape;
  bench::Errors errors;
  double error_squared = 0, squared = 0;
  for (int i = 0; i < kSampled; ++i) {
    const int rows = shape.grouping == Grouping::masked ? of.rows : shape.m;
    const int row = rows - 1 - i * 977 % rows, column = shape.n - 1 - i * 1571 % shape.n;
    const int matrix = i % shape.a_matrices();
    const int group = shape.grouping == Grouping::contiguous ? groups[row / shape.alignment] : matrix;
    std::uint16_t bits = 0;
    const std::size_t at = (static_cast<std::size_t>(matrix) * shape.m + row) * shape.n + column;
    bench::check(cudaMemcpy(&bits, c + at, sizeof bits, cudaMemcpyDeviceToHost), "reading a sampled element");
    const double value = std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
    const double expected = element(shape, matrix, group, row, column);
    const double error = std::fabs((std::isfinite(value) ? value : 0.0) - expected);
    errors.max_abs = std::max(errors.max_abs, error);
    error_squared += error * error;
    squared += expected * expected;
  }
  errors.rel = std::sqrt(error_squared / std::max(squared, 1e-300));
  return errors;
}

bench::Work made(bench::Operands& set, const CaseOf& of, const Choose& choose) {
  const Shape& shape = of.shape;
  auto* a = set.output<std::uint8_t>(shape.a_count());
  auto* b = set.output<std::uint8_t>(shape.b_count());
  auto* a_scales = set.output<float>(shape.a_scale_count());
  auto* b_scales = set.output<float>(shape.b_scale_count());
  auto* c = set.output<std::uint16_t>(shape.c_count());
  fill_operands(a, shape.a_count(), kSeedA, set.stream());
  fill_operands(b, shape.b_count(), kSeedB, set.stream());
  fill_scales(a_scales, shape.a_scale_count(), kSeedAScales, set.stream());
  fill_scales(b_scales, shape.b_scale_count(), kSeedBScales, set.stream());
  Problem problem{
      .shape = shape, .a = a, .b = b, .a_scales = a_scales, .b_scales = b_scales, .c = c, .b_is_ready = of.b_is_ready};
  const std::vector<int> groups = groups_of(of);
  if (shape.grouping != Grouping::batched) {
    int* on_card = set.output<int>(groups.size());
    bench::check(
        cudaMemcpyAsync(on_card, groups.data(), groups.size() * sizeof(int), cudaMemcpyHostToDevice, set.stream()),
        "copying the groups");
    bench::check(cudaStreamSynchronize(set.stream()), "copying the groups");
    problem.group_of_rows = problem.rows_of_group = on_card;
  }
  const Choice choice = choose(problem, set);
  bench::Work work{.launch = choice.launch, .configuration = choice.configuration};
  if (of.errors) work.errors = [=] { return sampled(of, groups, c); };
  return work;
}

// Of masked groups only the rows that count.
Shape counted(const CaseOf& of) {
  Shape shape = of.shape;
  if (shape.grouping == Grouping::masked) shape.m = of.rows;
  return shape;
}

}  // namespace

bench::Case suite_case(const CaseOf& of, const Choose& choose) {
  return {
      .name = "scaled_gemm/" + of.kind + "/" + to_string(of.shape),
      .cache = of.cache,
      .flops = flops_of(counted(of)),
      .bytes = bytes_of(counted(of)),
      .rate = bench::Rate::fp8,
      .make = [=](bench::Operands& set) {
        CaseOf more = of;  // more work is more rows; without any there is a single one
        const auto unit = static_cast<std::size_t>(of.shape.grouping == Grouping::contiguous ? of.shape.alignment : 1);
        more.shape.m = static_cast<int>(std::max(with_extra_work(static_cast<std::size_t>(of.shape.m), unit), unit));
        return made(set, more, choose);
      }};
}

Choice usual_choice(const Problem& problem, const bench::Operands& set) {
  const std::string name =
      set.pinned().empty() ? usual_configuration(problem.shape, set.device().multiprocessors) : set.pinned();
  return {prepare(problem, name), name};
}

}  // namespace kernels::scaled
