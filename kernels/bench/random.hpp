// SPDX-License-Identifier: Apache-2.0
#pragma once

// The random inputs: element i of the stream `seed`, the same number on host and card, so that an oracle needs no copy.
// Never zero: zeros hide unwritten outputs and wrong indexing, and a GPU may run faster on them.

#include <cstdint>

#ifdef __CUDACC__
#define KERNELS_BENCH_BOTH __host__ __device__
#else
#define KERNELS_BENCH_BOTH
#endif

namespace kernels::bench {

inline constexpr std::uint64_t kSeed = 42;

// SplitMix64 of (seed, index).
KERNELS_BENCH_BOTH inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t mixed = (seed + 1) * 0xd1342543de82ef95u + (index + 1) * 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

// In (-1, 1), an odd multiple of 2^-11: exact in fp16, bf16 rounds it, none is zero.
KERNELS_BENCH_BOTH inline float random_value(std::uint64_t seed, std::uint64_t index) {
  const int step = static_cast<int>(random_bits(seed, index) >> 53);  // 11 bits
  return static_cast<float>(2 * step + 1 - 2048) * 0x1p-11f;
}

}  // namespace kernels::bench
