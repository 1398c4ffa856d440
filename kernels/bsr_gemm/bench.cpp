// SPDX-License-Identifier: Apache-2.0
// bsr_gemm_bench: the suite. Names read bsr_gemm/VARIANT/SIZE/bs:BLOCK/density:D for square operands of that size;
// counters: flops and bytes of one multiplication (each operand moved once).
#include <benchmark/benchmark.h>

#include <string>

#include "kernels/bsr_gemm/generate.hpp"
#include "kernels/bsr_gemm/variants.hpp"

namespace {

constexpr std::uint64_t kSeed = 42;

struct Problem {
  int size, block;
  const char* density_text;
  double density;
};
constexpr Problem kProblems[] = {{256, 16, "0.25", 0.25}, {512, 32, "0.125", 0.125}};

void run(benchmark::State& state, kernels::BsrGemm multiply, const Problem& problem) {
  const kernels::Shape shape{.name = "benchmark",
                             .m = problem.size,
                             .n = problem.size,
                             .k = problem.size,
                             .block_rows = problem.block,
                             .block_columns = problem.block,
                             .density = problem.density};
  const kernels::Operands operands = kernels::generate(shape, kSeed);
  std::vector<float> c(static_cast<std::size_t>(shape.m) * shape.n);
  for (auto _ : state) {
    multiply(operands.a, operands.b.data(), shape.n, c.data());
    benchmark::ClobberMemory();
  }
  state.counters["flops"] = 2.0 * static_cast<double>(operands.a.values.size()) * shape.n;
  state.counters["bytes"] = 4.0 * static_cast<double>(operands.a.values.size() + operands.b.size() + c.size());
}

}  // namespace

int main(int count, char** arguments) {
  for (const kernels::Variant& variant : kernels::variants())
    for (const Problem& problem : kProblems) {
      const std::string name = std::string("bsr_gemm/") + variant.name + (*variant.name ? "/" : "") +
                               std::to_string(problem.size) + "/bs:" + std::to_string(problem.block) +
                               "/density:" + problem.density_text;
      benchmark::RegisterBenchmark(name.c_str(), run, variant.multiply, problem);
    }
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
