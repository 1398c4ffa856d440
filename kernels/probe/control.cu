// SPDX-License-Identifier: Apache-2.0
// kg_probe_control: two kernels that never change, one bound by arithmetic, one by memory. What moves their times is
// the environment. Whoever must change one adds it under the next version and leaves these.
#include "kernels/bench/suite.hpp"

namespace {

using namespace kernels::bench;

constexpr int kFmaThreads = 256, kFmaBlocksEach = 8, kFmaSteps = 4096, kFmaChains = 8;
constexpr std::size_t kTriadCount = 64u << 20;  // 256 MiB an operand, 805 MB in all

__global__ void control_v1_fma(const float* __restrict__ in, float* __restrict__ out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float factor = in[i], added = in[i + 1];
  float values[kFmaChains];
#pragma unroll
  for (int j = 0; j < kFmaChains; ++j) values[j] = factor + j;
  for (int step = 0; step < kFmaSteps; ++step)
#pragma unroll
    for (int j = 0; j < kFmaChains; ++j) values[j] = fmaf(values[j], factor, added);
  float sum = 0;
#pragma unroll
  for (int j = 0; j < kFmaChains; ++j) sum += values[j];
  out[i] = sum;
}

__global__ void control_v1_triad(const float4* __restrict__ a, const float4* __restrict__ b, float4* __restrict__ out) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float4 x = a[i], y = b[i];
  out[i] = make_float4(x.x + 0.5f * y.x, x.y + 0.5f * y.y, x.z + 0.5f * y.z, x.w + 0.5f * y.w);
}

Case fma_case() {
  // The grid depends on the GPU, so flops are stated by the work, not here.
  return {.name = "control/v1/fma", .cache = Cache::warm, .rate = Rate::fp32, .make = [](Operands& set) {
            const int blocks = set.device().multiprocessors * kFmaBlocksEach;
            const std::size_t count = static_cast<std::size_t>(blocks) * kFmaThreads;
            const float* in = set.input<float>(count + 1);
            float* out = set.output<float>(count);
            return Work{
                .launch = [=](cudaStream_t stream) { control_v1_fma<<<blocks, kFmaThreads, 0, stream>>>(in, out); },
                .shape = {.grid = dim3(blocks), .block = dim3(kFmaThreads)}};
          }};
}

Case triad_case() {
  return {.name = "control/v1/triad",
          .cache = Cache::cold,
          .flops = 2.0 * kTriadCount,
          .bytes = 3.0 * kTriadCount * sizeof(float),
          .make = [](Operands& set) {
            const auto* a = reinterpret_cast<const float4*>(set.input<float>(kTriadCount));
            const auto* b = reinterpret_cast<const float4*>(set.input<float>(kTriadCount));
            auto* out = reinterpret_cast<float4*>(set.output<float>(kTriadCount));
            constexpr unsigned kThreads = 256, kBlocks = kTriadCount / 4 / kThreads;
            return Work{
                .launch = [=](cudaStream_t stream) { control_v1_triad<<<kBlocks, kThreads, 0, stream>>>(a, b, out); },
                .shape = {.grid = dim3(kBlocks), .block = dim3(kThreads)}};
          }};
}

}  // namespace

int main(int count, char** arguments) { return run_suite(count, arguments, {fma_case(), triad_case()}); }
