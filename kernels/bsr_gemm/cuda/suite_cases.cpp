// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/cuda/suite_cases.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <utility>

#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/common/random.hpp"

namespace kernels::bsr {
namespace {

constexpr std::size_t kSampled = 64;

double rounded(DataType type, float value) {
  return type == DataType::fp16 ? static_cast<double>(__half2float(__float2half_rn(value)))
                                : static_cast<double>(__bfloat162float(__float2bfloat16_rn(value)));
}

// Element (row, column) from the streams that the kit filled the values and B with.
double element(const BsrMatrix& a, const Problem& problem, std::uint64_t a_seed, std::uint64_t b_seed, int row,
               int column) {
  double sum = 0;
  const int block_row = row / a.block_rows;
  for (int block = a.row_begin[block_row]; block < a.row_begin[block_row + 1]; ++block)
    for (int k = 0; k < a.block_columns; ++k) {
      const std::size_t at =
          (static_cast<std::size_t>(block) * a.block_rows + row % a.block_rows) * a.block_columns + k;
      const std::size_t b_row = static_cast<std::size_t>(a.block_column[block]) * a.block_columns + k;
      sum += rounded(problem.type, bench::random_value(a_seed, at)) *
             rounded(problem.type, bench::random_value(b_seed, b_row * problem.n + column));
    }
  return sum;
}

bench::Errors sampled(const BsrMatrix& a, const Problem& problem, std::uint64_t a_seed, std::uint64_t b_seed) {
  bench::Errors errors;
  double error_squared = 0, reference_squared = 0;
  const std::size_t count = static_cast<std::size_t>(a.rows) * problem.n;
  for (std::size_t i = 0; i < kSampled; ++i) {
    const std::size_t at = (i + 1) * count / kSampled - 1 - i * 7 % 64;
    std::uint16_t bits = 0;
    bench::check(
        cudaMemcpy(&bits, static_cast<const std::uint16_t*>(problem.c) + at, sizeof bits, cudaMemcpyDeviceToHost),
        "reading a sampled element");
    const float out = problem.type == DataType::fp16 ? __half2float(std::bit_cast<__half>(bits))
                                                     : __bfloat162float(std::bit_cast<__nv_bfloat16>(bits));
    const double expected =
        element(a, problem, a_seed, b_seed, static_cast<int>(at / problem.n), static_cast<int>(at % problem.n));
    const double error = std::fabs((std::isfinite(out) ? out : 0.0) - expected);
    errors.max_abs = std::max(errors.max_abs, error);
    error_squared += error * error;
    reference_squared += expected * expected;
  }
  errors.rel = std::sqrt(error_squared) / std::max(std::sqrt(reference_squared), 1e-300);
  return errors;
}

template <class T>
bench::Work made(bench::Operands& set, DataType type, const std::shared_ptr<const BsrMatrix>& pattern, int n,
                 const Choose& choose) {
  const auto indices = std::make_shared<DevicePattern>(*pattern);
  const std::size_t block = static_cast<std::size_t>(pattern->block_rows) * pattern->block_columns;
  Problem problem{.type = type,
                  .pattern = pattern.get(),
                  .row_begin = indices->row_begin(),
                  .block_column = indices->block_column(),
                  .n = n};
  problem.values = set.input<T>(pattern->block_column.size() * block);
  problem.b = set.input<T>(static_cast<std::size_t>(pattern->columns) * n);
  problem.c = set.output<T>(static_cast<std::size_t>(pattern->rows) * n);
  bench::check(cudaStreamSynchronize(set.stream()), "filling the operands");  // some are prepared from their values
  const std::uint64_t a_seed = set.seed_of(0), b_seed = set.seed_of(1);
  const Choice choice = choose(problem, set.pinned());
  return {.launch = [indices, launch = choice.launch](cudaStream_t stream) { (void)indices, launch(stream); },
          .errors = [=] { return sampled(*pattern, problem, a_seed, b_seed); },
          .configuration = choice.configuration};
}

}  // namespace

std::shared_ptr<const BsrMatrix> suite_pattern(const SuiteProblem& what) {
  Random random(bench::kSeed);
  auto made = std::make_shared<BsrMatrix>();
  made->rows = what.size;
  made->columns = what.k;
  made->block_rows = made->block_columns = what.block;
  made->row_begin.push_back(0);
  for (int row = 0; row < what.size / what.block; ++row) {
    for (int column = 0; column < what.k / what.block; ++column)
      if (random.unit() < what.density) made->block_column.push_back(column);
    made->row_begin.push_back(static_cast<int>(made->block_column.size()));
  }
  return made;
}

bench::Case suite_case(const std::string& name, const SuiteProblem& what,
                       const std::shared_ptr<const BsrMatrix>& pattern, std::function<Launch(const Problem&)> prepare) {
  return suite_case_of_choice(name, what, pattern, [prepare = std::move(prepare)](const Problem& problem, const auto&) {
    return Choice{prepare(problem), {}};
  });
}

bench::Case suite_case_of_choice(const std::string& name, const SuiteProblem& what,
                                 const std::shared_ptr<const BsrMatrix>& pattern, Choose choose) {
  const bool half = what.type == DataType::fp16;
  char density[24];
  std::snprintf(density, sizeof density, "%g", what.density);
  const double values = static_cast<double>(pattern->block_column.size()) * what.block * what.block;
  const double dense = (static_cast<double>(what.size) + what.k) * what.n;
  std::string size = std::to_string(what.size);
  if (what.n != what.size || what.k != what.size)
    for (const int other : {what.n, what.k}) size.append("x").append(std::to_string(other));
  return {.name = "bsr_gemm/" + name + (half ? "/fp16/" : "/bf16/") + size + "/bs:" + std::to_string(what.block) +
                  "/density:" + density,
          .cache = bench::Cache::warm,
          .flops = 2 * values * what.n,
          .bytes = 2 * (values + dense),
          .rate = half ? bench::Rate::fp16 : bench::Rate::bf16,
          .make = [=](bench::Operands& set) {
            return half ? made<__half>(set, what.type, pattern, what.n, choose)
                        : made<__nv_bfloat16>(set, what.type, pattern, what.n, choose);
          }};
}

}  // namespace kernels::bsr
