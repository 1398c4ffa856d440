// SPDX-License-Identifier: Apache-2.0
// attention_sweep_bench: the tunable kernel at the point it was compiled with.
#include "kernels/attention/cuda/suite_case.hpp"
#include "kernels/attention/sweep/point.hpp"

namespace {

using namespace kernels;
using namespace kernels::attention;

bench::Case case_of(int batch, int heads, int size, bool causal) {
  const Shape shape{.batch = batch,
                    .heads = heads,
                    .key_heads = heads,
                    .queries = size,
                    .keys = size,
                    .depth = kPointDepth,
                    .causal = causal};
  return suite_case(DataType::fp16, shape, [](const Problem& problem, const bench::Operands&) {
    return Choice{prepare_tunable(problem, point_kernel(problem.type)), ""};
  });
}

}  // namespace

int main(int count, char** arguments) {
  return bench::run_suite(
      count, arguments,
      {case_of(4, 8, 512, false), case_of(4, 8, 512, true), case_of(32, 16, 512, false), case_of(32, 16, 512, true)});
}
