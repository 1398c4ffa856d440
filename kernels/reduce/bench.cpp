// SPDX-License-Identifier: Apache-2.0
// reduce_bench: sums of arrays. Names read reduce/VARIANT/SIZE/CACHE, SIZE being the input's; the variant cub is the
// toolkit's own.
#include <cmath>

#include "kernels/bench/sampling.hpp"
#include "kernels/common/inject.hpp"
#include "kernels/reduce/cub.hpp"
#include "kernels/reduce/reduce.hpp"

namespace {

using namespace kernels::bench;
using kernels::stream_config;
using kernels::StreamConfig;

constexpr std::size_t kMiB = 1024 * 1024 / sizeof(float);
constexpr std::size_t kOracleMax = 4 * kMiB;  // the sum on the host takes some milliseconds

Errors error_of_sum(const float* out, std::size_t count) {
  return sampled_errors(out, 1, [count](std::size_t) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += random_value(kSeed, i);
    return sum;
  });
}

Case reduce_case(bool atomic, const std::string& size, std::size_t count, Cache cache) {
  return {.name = std::string("reduce/") + (atomic ? "atomic/" : "two_pass/") + size,
          .cache = cache,
          .flops = static_cast<double>(count),
          .bytes = static_cast<double>(count) * sizeof(float),
          .make = [=](Operands& set) {
            const std::size_t work = kernels::with_extra_work(count, 4);
            const float* in = set.input<float>(std::max(work, count));
            float* out = set.output<float>(4);
            const StreamConfig config = stream_config(count, set.device().multiprocessors);
            Work made{.shape = {.grid = dim3(config.blocks), .block = dim3(config.threads)}};
            if (atomic) {
              made.reset = [=](cudaStream_t stream) { check(cudaMemsetAsync(out, 0, sizeof *out, stream), "reset"); };
              made.launch = [=](cudaStream_t stream) { kernels::reduce_atomic(in, work, out, config, stream); };
            } else {
              float* partial = set.output<float>(config.blocks);
              made.launch = [=](cudaStream_t stream) {
                kernels::reduce_two_pass(in, work, partial, out, config, stream);
              };
            }
            if (count <= kOracleMax) made.errors = [=] { return error_of_sum(out, work); };
            return made;
          }};
}

Case peer_case(const std::string& size, std::size_t count, Cache cache) {
  return {
      .name = "reduce/cub/" + size,
      .cache = cache,
      .flops = static_cast<double>(count),
      .bytes = static_cast<double>(count) * sizeof(float),
      .make = [=](Operands& set) {
        const float* in = set.input<float>(count);
        float* out = set.output<float>(4);
        const std::size_t bytes = kernels::reduce_cub_bytes(count);
        void* scratch = set.output<char>(bytes);
        Work made{.launch = [=](cudaStream_t stream) { kernels::reduce_cub(in, count, scratch, bytes, out, stream); }};
        if (count <= kOracleMax) made.errors = [=] { return error_of_sum(out, count); };
        return made;
      }};
}

}  // namespace

int main(int count, char** arguments) {
  return run_suite(
      count, arguments,
      {reduce_case(true, "4MiB", 4 * kMiB, Cache::warm), reduce_case(true, "64MiB", 64 * kMiB, Cache::cold),
       reduce_case(false, "1MiB", 1 * kMiB, Cache::warm), reduce_case(false, "16MiB", 16 * kMiB, Cache::cold),
       reduce_case(false, "512MiB", 512 * kMiB, Cache::cold), peer_case("1MiB", 1 * kMiB, Cache::warm),
       peer_case("4MiB", 4 * kMiB, Cache::warm), peer_case("16MiB", 16 * kMiB, Cache::cold),
       peer_case("64MiB", 64 * kMiB, Cache::cold), peer_case("512MiB", 512 * kMiB, Cache::cold)});
}
