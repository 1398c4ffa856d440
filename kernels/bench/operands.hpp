// SPDX-License-Identifier: Apache-2.0
#pragma once

// One set of a benchmark's operands on the GPU. The kit makes as many sets as the cold cache needs; each has the same
// values. Owns the memory; pointers handed out live as long as the set.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/bench/device.hpp"
#include "kernels/bench/random.hpp"

namespace kernels::bench {

class Operands {
 public:
  Operands(const Device& device, std::uint64_t seed, cudaStream_t stream, std::string pinned)
      : device_(device), seed_(seed), stream_(stream), pinned_(std::move(pinned)) {}

  // Random values in (-1, 1), none of them zero. Input i of a set (from 0) is the stream `seed_of(i)` of random.hpp.
  template <class T>
  const T* input(std::size_t count) {
    T* data = static_cast<T*>(take(count * sizeof(T)));
    fill(data, count, seed_of(inputs_++));
    return data;
  }
  [[nodiscard]] std::uint64_t seed_of(int input) const { return seed_ + static_cast<std::uint64_t>(input); }

  // Poisoned, so that what a kernel does not write is seen.
  template <class T>
  T* output(std::size_t count) {
    void* data = take(count * sizeof(T));
    fill_poison(data, (count * sizeof(T) + 3) / 4 * 4, stream_);
    return static_cast<T*>(data);
  }

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] cudaStream_t stream() const { return stream_; }
  // The configuration that the environment asks for; empty: the case chooses.
  [[nodiscard]] const std::string& pinned() const { return pinned_; }

 private:
  void* take(std::size_t bytes) {
    memory_.emplace_back((bytes + 255) / 256 * 256);
    bytes_ += bytes;
    return memory_.back().data();
  }
  void fill(float* data, std::size_t count, std::uint64_t seed) { fill_random(data, count, seed, stream_); }
  void fill(__half* data, std::size_t count, std::uint64_t seed) { fill_random(data, count, seed, false, stream_); }
  void fill(__nv_bfloat16* data, std::size_t count, std::uint64_t seed) {
    fill_random(data, count, seed, true, stream_);
  }

  const Device& device_;
  std::uint64_t seed_;
  cudaStream_t stream_;
  std::string pinned_;
  int inputs_ = 0;
  std::size_t bytes_ = 0;
  std::vector<DeviceMemory> memory_;
};

}  // namespace kernels::bench
