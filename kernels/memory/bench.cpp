// SPDX-License-Identifier: Apache-2.0
// memory_bench: copy and triad. Names read copy/SIZE/CACHE, SIZE being one operand's; copy/cudaMemcpyAsync/SIZE/CACHE
// is the driver's copy.
#include "kernels/bench/sampling.hpp"
#include "kernels/common/inject.hpp"
#include "kernels/memory/memory.hpp"

namespace {

using namespace kernels::bench;
using kernels::stream_config;
using kernels::StreamConfig;
using kernels::with_extra_work;

constexpr float kScale = 0.75f;
constexpr std::size_t kKiB = 1024 / sizeof(float), kMiB = 1024 * kKiB;

Case copy_case(const std::string& size, std::size_t count, Cache cache) {
  return {
      .name = "copy/" + size,
      .cache = cache,
      .bytes = 2.0 * static_cast<double>(count) * sizeof(float),
      .make = [count](Operands& set) {
        const std::size_t work = with_extra_work(count, 4), room = std::max(work, count);
        const float* in = set.input<float>(room);
        float* out = set.output<float>(room);
        const StreamConfig config = stream_config(count, set.device().multiprocessors);
        return Work{
            .launch = [=](cudaStream_t stream) { kernels::copy(in, out, work, config, stream); },
            .errors = [=] { return sampled_errors(out, count, [](std::size_t i) { return random_value(kSeed, i); }); },
            .shape = {.grid = dim3(config.blocks), .block = dim3(config.threads)}};
      }};
}

Case peer_case(const std::string& size, std::size_t count, Cache cache) {
  return {
      .name = "copy/cudaMemcpyAsync/" + size,
      .cache = cache,
      .bytes = 2.0 * static_cast<double>(count) * sizeof(float),
      .make = [count](Operands& set) {
        const float* in = set.input<float>(count);
        float* out = set.output<float>(count);
        return Work{
            .launch =
                [=](cudaStream_t stream) {
                  check(cudaMemcpyAsync(out, in, count * sizeof *out, cudaMemcpyDeviceToDevice, stream), "the copy");
                },
            .errors = [=] { return sampled_errors(out, count, [](std::size_t i) { return random_value(kSeed, i); }); }};
      }};
}

Case triad_case(const std::string& size, std::size_t count, Cache cache) {
  return {.name = "triad/" + size,
          .cache = cache,
          .flops = 2.0 * static_cast<double>(count),
          .bytes = 3.0 * static_cast<double>(count) * sizeof(float),
          .make = [count](Operands& set) {
            const std::size_t work = with_extra_work(count, 4), room = std::max(work, count);
            const float* a = set.input<float>(room);
            const float* b = set.input<float>(room);
            float* out = set.output<float>(room);
            const StreamConfig config = stream_config(count, set.device().multiprocessors);
            return Work{.launch = [=](cudaStream_t stream) { kernels::triad(a, b, kScale, out, work, config, stream); },
                        .errors =
                            [=] {
                              return sampled_errors(out, count, [](std::size_t i) {
                                return random_value(kSeed, i) +
                                       static_cast<double>(kScale) * random_value(kSeed + 1, i);
                              });
                            },
                        .shape = {.grid = dim3(config.blocks), .block = dim3(config.threads)}};
          }};
}

}  // namespace

int main(int count, char** arguments) {
  return run_suite(count, arguments,
                   {copy_case("256KiB", 256 * kKiB, Cache::warm), copy_case("4MiB", 4 * kMiB, Cache::warm),
                    copy_case("4MiB", 4 * kMiB, Cache::cold), copy_case("64MiB", 64 * kMiB, Cache::cold),
                    copy_case("1GiB", 1024 * kMiB, Cache::cold), peer_case("4MiB", 4 * kMiB, Cache::warm),
                    peer_case("64MiB", 64 * kMiB, Cache::cold), peer_case("1GiB", 1024 * kMiB, Cache::cold),
                    triad_case("1MiB", 1 * kMiB, Cache::warm), triad_case("16MiB", 16 * kMiB, Cache::cold),
                    triad_case("256MiB", 256 * kMiB, Cache::cold)});
}
