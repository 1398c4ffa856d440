// SPDX-License-Identifier: Apache-2.0
#pragma once

// One product that is computed again and again: its pattern, the kernel chosen for it, and the operands it is bound to.
// Owns the pattern, not the operands. One thread at a time; plans share a tuner only within one thread.

#include <string>

#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/bsr_gemm/cuda/tuned.hpp"

namespace kernels::bsr {

class Plan {
 public:
  // `n` is the number of columns of B. Throws std::invalid_argument where the pattern is none, CudaError without a
  // card.
  Plan(DataType type, BsrMatrix pattern, int n);

  // Takes a configuration in place of choosing, from the next bind on; empty: choose.
  void pin(std::string configuration) { pinned_ = std::move(configuration); }

  // Pointers of the GPU, which must live while the plan is bound. Chooses where it was not chosen before, which
  // measures. Some kernels read the values here: bind again after changing them. On failure the plan is unbound.
  void bind(autotune::Tuner& tuner, const void* values, const void* b, void* c);

  // Enqueues the product. Throws std::logic_error before `bind`.
  void run(cudaStream_t stream) const;

  // The whole product with memory of the host; leaves the plan unbound.
  void multiply(autotune::Tuner& tuner, const void* values, const void* b, void* c);

  // Of the last bind; empty before it.
  [[nodiscard]] const autotune::Decision& decision() const { return decision_; }

 private:
  DataType type_;
  BsrMatrix pattern_;
  int n_;
  DevicePattern on_card_;
  std::string pinned_;
  Launch launch_;
  autotune::Decision decision_;
};

}  // namespace kernels::bsr
