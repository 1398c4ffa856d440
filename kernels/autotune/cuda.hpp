// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tuner's part on a GPU: what names the GPU, and the timing of a candidate by CUDA events. Device 0, one thread.

#include <functional>
#include <memory>

#include "kernels/autotune/decide.hpp"
#include "kernels/autotune/key.hpp"
#include "kernels/bench/device.hpp"
#include "kernels/bench/plan.hpp"

namespace kernels::autotune {

// The GPU's name, compute capability and multiprocessors, and the versions of driver and runtime. Throws CudaError.
[[nodiscard]] Key device_key();

using Launch = std::function<void(cudaStream_t)>;

// How many copies of operands of this size a candidate is timed on: as the timing kit does, so that neither the tuner's
// places in memory nor one caller's decide. A single one where the L2 does not hold them.
[[nodiscard]] bench::Rotation rotation_of(std::size_t footprint_bytes);

// Samples are batches of at least half a millisecond: one call after the other in a CUDA graph, held back by a gate
// until the graph is queued. Each sample is of the next place. Must outlive the candidates it made ready. The stream is
// its own and must not be needed by them.
class CudaTimer {
 public:
  // `make` gives the candidate's launch on a copy of the operands, from 0. Calls the first once, unmeasured, and looks
  // at some single calls; the others are made when they are sampled. Throws what `make` and launches throw, and
  // CudaError.
  [[nodiscard]] Ready ready(const bench::Rotation& rotation, std::function<Launch(int copy)> make);

 private:
  struct Place;
  struct Batch;
  [[nodiscard]] double time_ms(const std::function<void()>& enqueue);
  [[nodiscard]] double time_place_ms(Place& place);
  void build(Batch& batch, int at);
  void calibrate(Batch& batch);
  [[nodiscard]] double sample_us(Batch& batch);

  bench::Stream stream_ = bench::make_stream();
  bench::Event start_ = bench::make_event(), stop_ = bench::make_event();
  bench::Gate gate_;
};

}  // namespace kernels::autotune
