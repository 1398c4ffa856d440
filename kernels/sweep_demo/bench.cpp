// SPDX-License-Identifier: Apache-2.0
// sweep_demo_bench: the transpose at the configuration it was compiled with.
#include "kernels/bench/suite.hpp"
#include "kernels/sweep_demo/transpose.hpp"

namespace {

using namespace kernels::bench;

Case transpose_case(int rows, Cache cache) {
  const std::size_t count = static_cast<std::size_t>(rows) * kernels::kColumns;
  return {.name = "transpose/" + std::to_string(rows) + "x" + std::to_string(kernels::kColumns),
          .cache = cache,
          .bytes = 2.0 * static_cast<double>(count) * sizeof(__half),
          .make = [=](Operands& set) {
            const __half* in = set.input<__half>(count);
            __half* out = set.output<__half>(count);
            const int blocks = (rows / kernels::kBlockM + kernels::kStages - 1) / kernels::kStages;
            return Work{.launch = [=](cudaStream_t stream) { kernels::transpose(in, out, rows, stream); },
                        .shape = {.grid = dim3(blocks),
                                  .block = dim3(kernels::kTransposeThreads),
                                  .shared_bytes = kernels::kTransposeShared}};
          }};
}

}  // namespace

int main(int count, char** arguments) {
  return run_suite(count, arguments, {transpose_case(10240, Cache::warm), transpose_case(81920, Cache::cold)});
}
