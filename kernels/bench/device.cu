// SPDX-License-Identifier: Apache-2.0
#include "kernels/bench/device.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <vector>

#include "kernels/bench/plan.hpp"
#include "kernels/bench/random.hpp"

namespace kernels::bench {
namespace {

constexpr int kThreads = 256;
constexpr unsigned long long kGateLimitNs = 1'000'000;
constexpr int kMultiprocessorsMax = 1024;

struct Slot {
  long long clock;
  unsigned long long ns;
};

__device__ unsigned long long global_ns() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

__global__ void timing_kit_gate(const volatile unsigned* word, unsigned ticket) {
  const unsigned long long start = global_ns();
  while (*word < ticket && global_ns() - start < kGateLimitNs) {
  }
}

__global__ void timing_kit_clocks(Slot* slots) {
  unsigned multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  if (multiprocessor < kMultiprocessorsMax) slots[multiprocessor] = {clock64(), global_ns()};
}

template <class T>
__device__ T from_float(float value) {
  return static_cast<T>(value);
}

template <class T>
__global__ void timing_kit_random(T* data, std::size_t count, std::uint64_t seed) {
  const std::size_t step = std::size_t{blockDim.x} * gridDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    data[i] = from_float<T>(random_value(seed, i));
}

__global__ void timing_kit_words(std::uint32_t* words, std::size_t count, std::uint32_t value) {
  const std::size_t step = std::size_t{blockDim.x} * gridDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) words[i] = value;
}

unsigned blocks_for(std::size_t count) {
  return static_cast<unsigned>(std::clamp<std::size_t>((count + kThreads - 1) / kThreads, 1, 4096));
}

template <class T>
void launch_random(T* data, std::size_t count, std::uint64_t seed, cudaStream_t stream) {
  timing_kit_random<<<blocks_for(count), kThreads, 0, stream>>>(data, count, seed);
  check(cudaGetLastError(), "filling an input");
}

}  // namespace

Device current_device() {
  int found = 0;
  check(cudaGetDeviceCount(&found), "cudaGetDeviceCount");
  cudaDeviceProp facts{};
  check(cudaGetDeviceProperties(&facts, 0), "cudaGetDeviceProperties");
  return {.name = facts.name,
          .multiprocessors = facts.multiProcessorCount,
          .l2_bytes = static_cast<std::size_t>(facts.l2CacheSize),
          .compute_major = facts.major,
          .compute_minor = facts.minor,
          .sheet = datasheet_of(facts.name)};
}

std::string no_device_reason() {
  int found = 0;
  const cudaError_t error = cudaGetDeviceCount(&found);
  if (error == cudaSuccess && found > 0) return {};
  const cudaError_t said = error == cudaSuccess ? cudaErrorNoDevice : error;
  return "no CUDA device can be used: " + std::string(cudaGetErrorName(said)) + " (" +
         std::to_string(static_cast<int>(said)) + "): " + cudaGetErrorString(said);
}

void fill_random(float* data, std::size_t count, std::uint64_t seed, cudaStream_t stream) {
  launch_random(data, count, seed, stream);
}

void fill_random(void* half_data, std::size_t count, std::uint64_t seed, bool bfloat, cudaStream_t stream) {
  if (bfloat) return launch_random(static_cast<__nv_bfloat16*>(half_data), count, seed, stream);
  launch_random(static_cast<__half*>(half_data), count, seed, stream);
}

void fill_poison(void* data, std::size_t bytes, cudaStream_t stream) {
  const std::size_t words = bytes / sizeof(std::uint32_t);
  timing_kit_words<<<blocks_for(words), kThreads, 0, stream>>>(static_cast<std::uint32_t*>(data), words, kPoison);
  check(cudaGetLastError(), "poisoning an output");
}

Gate::Gate() {
  unsigned* word = nullptr;
  check(cudaHostAlloc(reinterpret_cast<void**>(&word), sizeof *word, cudaHostAllocMapped), "cudaHostAlloc");
  *word = 0;
  word_.reset(word);
}

void Gate::close(cudaStream_t stream) {
  timing_kit_gate<<<1, 1, 0, stream>>>(word_.get(), ++ticket_);
  check(cudaGetLastError(), "closing the gate");
}

void Gate::open() { *static_cast<volatile unsigned*>(word_.get()) = ticket_; }

Clocks::Clocks(int multiprocessors)
    : multiprocessors_(std::min(multiprocessors, kMultiprocessorsMax)), slots_(2 * kMultiprocessorsMax * sizeof(Slot)) {
  check(cudaMemset(slots_.data(), 0, slots_.bytes()), "cudaMemset of the clocks");
}

void Clocks::read(int which, cudaStream_t stream) {
  Slot* slots = static_cast<Slot*>(slots_.data()) + which * kMultiprocessorsMax;
  timing_kit_clocks<<<multiprocessors_, 1, 0, stream>>>(slots);
  check(cudaGetLastError(), "reading the clocks");
}

Clocks::Span Clocks::span(cudaStream_t stream) {
  std::vector<Slot> slots(2 * kMultiprocessorsMax);
  check(cudaMemcpyAsync(slots.data(), slots_.data(), slots_.bytes(), cudaMemcpyDeviceToHost, stream), "cudaMemcpy");
  check(cudaMemsetAsync(slots_.data(), 0, slots_.bytes(), stream), "cudaMemset of the clocks");
  check(cudaStreamSynchronize(stream), "waiting for the clocks");
  std::vector<double> cycles, ns;
  for (int i = 0; i < kMultiprocessorsMax; ++i) {
    const Slot before = slots[i], after = slots[kMultiprocessorsMax + i];
    if (before.ns == 0 || after.ns <= before.ns) continue;
    cycles.push_back(static_cast<double>(after.clock - before.clock));
    ns.push_back(static_cast<double>(after.ns - before.ns));
  }
  return {median(std::move(cycles)), median(std::move(ns))};
}

void Flush::run(cudaStream_t stream) { fill_poison(memory_.data(), memory_.bytes(), stream); }

}  // namespace kernels::bench
