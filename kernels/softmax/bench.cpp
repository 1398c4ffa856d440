// SPDX-License-Identifier: Apache-2.0
// softmax_bench: names read softmax/ROWSxCOLUMNS/CACHE. There is no peer: no library of the toolkit has a softmax.
#include <cmath>

#include "kernels/bench/sampling.hpp"
#include "kernels/common/inject.hpp"
#include "kernels/softmax/softmax.hpp"

namespace {

using namespace kernels::bench;
using kernels::SoftmaxConfig;

double softmax_at(std::size_t index, int columns) {
  const std::size_t first = index / columns * columns;
  double sum = 0;
  for (int i = 0; i < columns; ++i) sum += std::exp(random_value(kSeed, first + i));
  return std::exp(random_value(kSeed, index)) / sum;
}

Case softmax_case(std::size_t rows, int columns, Cache cache) {
  const double elements = static_cast<double>(rows) * columns;
  return {
      .name = "softmax/" + std::to_string(rows) + "x" + std::to_string(columns),
      .cache = cache,
      .flops = 5 * elements,  // compare, subtract, exponential, add, multiply
      .bytes = 2 * elements * sizeof(float),
      .make = [=](Operands& set) {
        const std::size_t work = kernels::with_extra_work(rows), room = std::max(work, rows) * columns;
        const float* in = set.input<float>(room);
        float* out = set.output<float>(room);
        const SoftmaxConfig config = kernels::softmax_config(rows, columns, set.device().multiprocessors);
        return Work{
            .launch = [=](cudaStream_t stream) { kernels::softmax(in, out, work, columns, config, stream); },
            .errors =
                [=] {
                  return sampled_errors(out, rows * columns, [=](std::size_t i) { return softmax_at(i, columns); });
                },
            .shape = {.grid = dim3(config.blocks), .block = dim3(config.threads), .shared_bytes = config.shared_bytes}};
      }};
}

}  // namespace

int main(int count, char** arguments) {
  return run_suite(count, arguments,
                   {softmax_case(1024, 512, Cache::warm), softmax_case(4096, 1024, Cache::warm),
                    softmax_case(4096, 1024, Cache::cold), softmax_case(8192, 4096, Cache::cold),
                    softmax_case(32768, 4096, Cache::cold)});
}
