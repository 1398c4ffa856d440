// SPDX-License-Identifier: Apache-2.0
// kg_probe_ceilings: what this GPU reaches: copies, L2 reads, arithmetic per data type. One line of JSON, about three
// seconds. Exit code 0; 1: a CUDA error, on stderr; 3: no GPU.
#include <algorithm>
#include <cstdio>

#include "kernels/bench/device.hpp"
#include "kernels/bench/random.hpp"
#include "kernels/probe/ceilings_report.hpp"
#include "kernels/probe/stopwatch.hpp"
#ifdef KG_HAS_CUBLASLT
#include "kernels/probe/matrix_rates.hpp"
#endif

namespace {

using namespace kernels::bench;
using kernels::median_seconds;

constexpr std::size_t kCopyBytes = 1u << 30;
constexpr int kThreads = 256, kBlocksEach = 8;
constexpr int kPasses = 20;                // over the part of the L2 that is read
constexpr int kSteps = 4096, kChains = 8;  // of dependent multiply-adds in each thread

__global__ void read_kernel(const float4* __restrict__ in, std::size_t count, float* out) {
  const std::size_t step = std::size_t{blockDim.x} * gridDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int pass = 0; pass < kPasses; ++pass)
#pragma unroll 4
    for (std::size_t i = first; i < count; i += step) {
      const float4 value = __ldcg(in + i);  // past the L1
      sum.x += value.x, sum.y += value.y, sum.z += value.z, sum.w += value.w;
    }
  out[first] = sum.x + sum.y + sum.z + sum.w;
}

__global__ void fma_kernel(const float* __restrict__ in, float* __restrict__ out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float factor = in[i], added = in[i + 1];
  float values[kChains];
#pragma unroll
  for (int j = 0; j < kChains; ++j) values[j] = factor + j;
  for (int step = 0; step < kSteps; ++step)
#pragma unroll
    for (int j = 0; j < kChains; ++j) values[j] = fmaf(values[j], factor, added);
  float sum = 0;
#pragma unroll
  for (int j = 0; j < kChains; ++j) sum += values[j];
  out[i] = sum;
}

double copy_rate() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  const std::size_t bytes = std::min(kCopyBytes, free / 4 / 1024 * 1024);
  const DeviceMemory from(bytes), to(bytes);
  fill_random(static_cast<float*>(from.data()), bytes / sizeof(float), kSeed, nullptr);
  const double seconds = median_seconds(
      [&] { check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice), "the copy"); });
  return 2.0 * static_cast<double>(bytes) / seconds;
}

double l2_rate(const Device& device) {
  const std::size_t bytes = device.l2_bytes * 2 / 5 / 1024 * 1024;
  const int blocks = device.multiprocessors * kBlocksEach;
  const DeviceMemory in(bytes), out(static_cast<std::size_t>(blocks) * kThreads * sizeof(float));
  fill_random(static_cast<float*>(in.data()), bytes / sizeof(float), kSeed, nullptr);
  const double seconds = median_seconds([&] {
    read_kernel<<<blocks, kThreads>>>(static_cast<const float4*>(in.data()), bytes / sizeof(float4),
                                      static_cast<float*>(out.data()));
  });
  return static_cast<double>(kPasses) * static_cast<double>(bytes) / seconds;
}

double fma_rate(const Device& device) {
  const int blocks = device.multiprocessors * kBlocksEach * 4;
  const std::size_t count = static_cast<std::size_t>(blocks) * kThreads;
  const DeviceMemory in((count + 1) * sizeof(float)), out(count * sizeof(float));
  fill_random(static_cast<float*>(in.data()), count + 1, kSeed, nullptr);
  const double seconds = median_seconds(
      [&] { fma_kernel<<<blocks, kThreads>>>(static_cast<const float*>(in.data()), static_cast<float*>(out.data())); });
  return 2.0 * kSteps * kChains * static_cast<double>(count) / seconds;
}

}  // namespace

int main() {
  if (const std::string reason = no_device_reason(); !reason.empty()) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    return kNoDeviceExit;
  }
  try {
    const Device device = current_device();
    kernels::CeilingsReport report{.device = device.name, .l2_bytes = static_cast<double>(device.l2_bytes)};
    report.copy_bytes_s = copy_rate();
    report.l2_bytes_s = l2_rate(device);
#ifdef KG_HAS_CUBLASLT
    report.flops = kernels::matrix_rates();
#endif
    report.flops["fp32"] = fma_rate(device);
    std::puts(kernels::to_json(report).c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
