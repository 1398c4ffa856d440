// SPDX-License-Identifier: Apache-2.0
#pragma once

// Seconds of the GPU's work on the default stream: the median of several runs after warm-ups.

#include <functional>
#include <vector>

#include "kernels/bench/cuda.hpp"
#include "kernels/bench/plan.hpp"

namespace kernels {

[[nodiscard]] inline double median_seconds(const std::function<void()>& enqueue) {
  constexpr int kWarmUps = 3, kRuns = 10;
  const bench::Event start = bench::make_event(), stop = bench::make_event();
  std::vector<double> seconds;
  for (int i = 0; i < kWarmUps + kRuns; ++i) {
    bench::check(cudaEventRecord(start.get()), "the event before");
    enqueue();
    bench::check(cudaGetLastError(), "the launch");
    bench::check(cudaEventRecord(stop.get()), "the event after");
    bench::check(cudaEventSynchronize(stop.get()), "waiting for the GPU");
    float ms = 0;
    bench::check(cudaEventElapsedTime(&ms, start.get(), stop.get()), "the time between the events");
    if (i >= kWarmUps) seconds.push_back(ms / 1e3);
  }
  return bench::median(std::move(seconds));
}

}  // namespace kernels
