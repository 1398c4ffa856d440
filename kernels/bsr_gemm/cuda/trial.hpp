// SPDX-License-Identifier: Apache-2.0
#pragma once

// One problem on the GPU with its answer in double precision; variants are run on it and judged. Not thread-safe.

#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/bsr_gemm/generate.hpp"
#include "kernels/common/outcome.hpp"

namespace kernels::bsr {

[[nodiscard]] inline const char* to_string(DataType type) { return type == DataType::fp16 ? "fp16" : "bf16"; }

// An element may err by half a unit in the last place of its own type, since it is rounded once, and by what fp32 sums
// in any order err: at most this part of the sum of magnitudes. Relative to the larger of the two parts:
inline constexpr double kSumBound = 1e-5;
[[nodiscard]] constexpr double bound_of(DataType type) { return type == DataType::fp16 ? 0x1p-11 : 0x1p-8; }

class Trial {
 public:
  // With `cancels` nearly all products of an element add up to zero. Throws CudaError.
  Trial(DataType type, const Shape& shape, std::uint64_t seed, bool cancels = false);

  [[nodiscard]] const BsrMatrix& pattern() const { return pattern_; }
  [[nodiscard]] int n() const { return n_; }

  // What a launch leaves in memory that was poisoned before.
  [[nodiscard]] Outcome judged(const std::function<Launch(const Problem&)>& prepare) const;

 private:
  DataType type_;
  int n_;
  BsrMatrix pattern_;
  std::uint64_t seed_;
  std::string shape_;
  Expected expected_;
  DevicePattern on_card_;
  bench::DeviceMemory values_, b_;
};

}  // namespace kernels::bsr
