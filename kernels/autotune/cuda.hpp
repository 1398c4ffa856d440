// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tuner's part on a card: what names the card, and the timing of a candidate by CUDA events. Device 0, one thread.

#include <functional>
#include <memory>

#include "kernels/autotune/decide.hpp"
#include "kernels/autotune/key.hpp"
#include "kernels/bench/device.hpp"

namespace kernels::autotune {

// The card's name, compute capability and multiprocessors, and the versions of driver and runtime. Throws CudaError.
[[nodiscard]] Key device_key();

// Samples are batches of at least half a millisecond: one call after the other in a CUDA graph, held back by a gate
// until the graph is queued. Must outlive the candidates it made ready. The stream is its own and must not be needed by
// them.
class CudaTimer {
 public:
  // Calls once, unmeasured, and looks at some single calls. Throws what `launch` throws, and CudaError.
  [[nodiscard]] Ready ready(std::function<void(cudaStream_t)> launch);

 private:
  struct Batch;
  [[nodiscard]] double time_ms(const std::function<void()>& enqueue);
  void build(Batch& batch);
  [[nodiscard]] double time_batch_ms(Batch& batch);
  [[nodiscard]] double sample_us(Batch& batch);

  bench::Stream stream_ = bench::make_stream();
  bench::Event start_ = bench::make_event(), stop_ = bench::make_event();
  bench::Gate gate_;
};

}  // namespace kernels::autotune
