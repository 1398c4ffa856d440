// SPDX-License-Identifier: Apache-2.0
#include "kernels/autotune/cuda.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace kernels::autotune {

using bench::check;

namespace {

constexpr double kBatchMs = 0.6, kShortestMs = 0.5;
constexpr int kTriesMax = 3;
constexpr int kCallsMax = 1024;
constexpr double kLookMs = 0.3;  // single calls are looked at until they add up to this, or there are
constexpr int kLooksMax = 3;

int calls_for(double call_ms) {
  return static_cast<int>(std::clamp(std::ceil(kBatchMs / std::max(call_ms, 1e-4)), 1.0, double{kCallsMax}));
}

}  // namespace

Key device_key() {
  const bench::Device device = bench::current_device();
  int driver = 0, runtime = 0;
  check(cudaDriverGetVersion(&driver), "asking for the driver's version");
  check(cudaRuntimeGetVersion(&runtime), "asking for the runtime's version");
  return Key()
      .add("device", device.name)
      .add("cc", std::to_string(device.compute_major) + "." + std::to_string(device.compute_minor))
      .add("sms", device.multiprocessors)
      .add("driver", driver)
      .add("runtime", runtime);
}

struct CudaTimer::Batch {
  std::function<void(cudaStream_t)> launch;
  int calls = 1;
  bench::Graph graph;  // made when the first sample is taken
};

double CudaTimer::time_ms(const std::function<void()>& enqueue) {
  const cudaStream_t stream = stream_.get();
  (void)cudaGetLastError();  // of a candidate that failed before
  gate_.close(stream);
  try {
    check(cudaEventRecord(start_.get(), stream), "the event before");
    enqueue();
    check(cudaGetLastError(), "the launch");
    check(cudaEventRecord(stop_.get(), stream), "the event after");
  } catch (...) {
    gate_.open();
    throw;
  }
  gate_.open();
  check(cudaStreamSynchronize(stream), "waiting for the kernel");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, start_.get(), stop_.get()), "the time between the events");
  return ms;
}

void CudaTimer::build(Batch& batch) {
  batch.graph = bench::captured(stream_.get(), [&] {
    for (int i = 0; i < batch.calls; ++i) batch.launch(stream_.get());
    check(cudaGetLastError(), "the launch");
  });
  (void)time_batch_ms(batch);  // the first launch of a graph carries its upload
}

double CudaTimer::time_batch_ms(Batch& batch) {
  return time_ms([&] { check(cudaGraphLaunch(batch.graph.get(), stream_.get()), "the launch of a graph"); });
}

// A card that was idle, or single launches, look slower than calls in a row are: then the batch is too short.
double CudaTimer::sample_us(Batch& batch) {
  for (int tries = 1; !batch.graph; ++tries) {
    build(batch);
    const double ms = time_batch_ms(batch);
    if (ms >= kShortestMs || batch.calls >= kCallsMax || tries == kTriesMax) break;
    batch.calls = calls_for(ms / batch.calls);
    batch.graph.reset();
  }
  return 1e3 * time_batch_ms(batch) / batch.calls;
}

Ready CudaTimer::ready(std::function<void(cudaStream_t)> launch) {
  auto batch = std::make_shared<Batch>();
  batch->launch = std::move(launch);
  const auto once = [&] { batch->launch(stream_.get()); };
  (void)time_ms(once);
  double best_ms = time_ms(once), all_ms = best_ms;
  for (int i = 1; i < kLooksMax && all_ms < kLookMs; ++i) {
    const double ms = time_ms(once);
    best_ms = std::min(best_ms, ms);
    all_ms += ms;
  }
  batch->calls = calls_for(best_ms);
  return {1e3 * best_ms, [this, batch] { return sample_us(*batch); }};
}

}  // namespace kernels::autotune
