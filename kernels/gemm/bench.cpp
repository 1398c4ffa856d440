// SPDX-License-Identifier: Apache-2.0
// gemm_bench: square products. Names read gemm/TYPE/SIZE/CACHE.
#include "kernels/bench/sampling.hpp"
#include "kernels/common/inject.hpp"
#include "kernels/gemm/gemm.hpp"

namespace {

using namespace kernels::bench;
using kernels::GemmConfig;

double element(std::size_t index, int size, int depth) {
  const std::size_t row = index / size, column = index % size;
  double sum = 0;
  for (int k = 0; k < depth; ++k)
    sum += static_cast<double>(random_value(kSeed, row * depth + k)) *
           random_value(kSeed + 1, static_cast<std::size_t>(k) * size + column);
  return sum;
}

void multiply(const __half* a, const __half* b, float* c, int size, int depth, GemmConfig config, cudaStream_t stream) {
  kernels::hgemm(a, b, c, size, size, depth, config, stream);
}
void multiply(const float* a, const float* b, float* c, int size, int depth, GemmConfig config, cudaStream_t stream) {
  kernels::sgemm(a, b, c, size, size, depth, config, stream);
}

template <class T>
Case gemm_case(const char* type, Rate rate, int size, Cache cache) {
  const double elements = static_cast<double>(size) * size;
  return {.name = std::string("gemm/") + type + "/" + std::to_string(size),
          .cache = cache,
          .flops = 2 * elements * size,
          .bytes = elements * (2 * sizeof(T) + sizeof(float)),
          .rate = rate,
          .make = [size](Operands& set) {
            const int depth = static_cast<int>(kernels::with_extra_work(size, kernels::kGemmDepth));
            const std::size_t room = static_cast<std::size_t>(size) * std::max(depth, size);
            const T* a = set.input<T>(room);
            const T* b = set.input<T>(room);
            float* c = set.output<float>(static_cast<std::size_t>(size) * size);
            const GemmConfig config = kernels::gemm_config(size, size, set.device().multiprocessors);
            return Work{
                .launch = [=](cudaStream_t stream) { multiply(a, b, c, size, depth, config, stream); },
                .errors =
                    [=] {
                      return sampled_errors(c, static_cast<std::size_t>(size) * size,
                                            [=](std::size_t i) { return element(i, size, depth); });
                    },
                .shape = {.grid = dim3(config.blocks_n, config.blocks_m), .block = dim3(kernels::kHgemmThreads)}};
          }};
}

Case half_case(int size, Cache cache) { return gemm_case<__half>("fp16", Rate::fp16, size, cache); }
Case float_case(int size, Cache cache) { return gemm_case<float>("fp32", Rate::fp32, size, cache); }

}  // namespace

int main(int count, char** arguments) {
  return run_suite(count, arguments,
                   {half_case(512, Cache::warm), half_case(1024, Cache::warm), half_case(1024, Cache::cold),
                    half_case(2048, Cache::warm), half_case(4096, Cache::warm), float_case(256, Cache::warm),
                    float_case(512, Cache::warm), float_case(1024, Cache::warm), float_case(1024, Cache::cold),
                    float_case(2048, Cache::warm)});
}
