// SPDX-License-Identifier: Apache-2.0
#include "kernels/autotune/cuda.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kernels::autotune {

using bench::check;

namespace {

constexpr int kTriesMax = 3;
constexpr double kLookMs = 0.3;  // single calls are looked at until they add up to this, or there are
constexpr int kLooksMax = 3;

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

bench::Rotation rotation_of(std::size_t footprint_bytes) {
  bench::Rotation rotation = bench::rotation_for(bench::Cache::warm, footprint_bytes, bench::current_device().l2_bytes);
  rotation.placements = std::min(rotation.placements, kRoundsMin);
  return rotation;
}

struct CudaTimer::Place {
  std::vector<Launch> launches;  // one of each copy
  bench::Graph graph;
};

struct CudaTimer::Batch {
  std::function<Launch(int copy)> make;
  int copies = 1;             // of a place
  std::vector<Place> places;  // made when their turn comes
  int calls = 1;
  bool calibrated = false;
  std::size_t next = 0;
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

// What was timed before was another candidate, or lay elsewhere.
double CudaTimer::time_place_ms(Place& place) {
  const cudaStream_t stream = stream_.get();
  for (const Launch& launch : place.launches) launch(stream);
  return time_ms([&] { check(cudaGraphLaunch(place.graph.get(), stream), "the launch of a graph"); });
}

void CudaTimer::build(Batch& batch, int at) {
  Place& place = batch.places[static_cast<std::size_t>(at)];
  while (std::ssize(place.launches) < batch.copies)
    place.launches.push_back(batch.make(at * batch.copies + static_cast<int>(place.launches.size())));
  place.graph = bench::captured(stream_.get(), [&] {
    for (int i = 0; i < batch.calls; ++i) place.launches[static_cast<std::size_t>(i % batch.copies)](stream_.get());
    check(cudaGetLastError(), "the launch");
  });
  (void)time_place_ms(place);  // the first launch of a graph carries its upload
}

// A GPU that was idle, or single launches, look slower than calls in a row are: then the batch is too short.
void CudaTimer::calibrate(Batch& batch) {
  for (int i = 0; i < kTriesMax; ++i) {
    build(batch, 0);
    const double ms = time_place_ms(batch.places.front());
    if (ms >= bench::kShortestMs || i + 1 == kTriesMax) break;
    batch.calls = bench::calls_for(ms / batch.calls, batch.copies);
  }
  batch.calibrated = true;
}

double CudaTimer::sample_us(Batch& batch) {
  if (!batch.calibrated) calibrate(batch);
  const std::size_t at = batch.next++ % batch.places.size();
  if (!batch.places[at].graph) build(batch, static_cast<int>(at));
  return 1e3 * time_place_ms(batch.places[at]) / batch.calls;
}

Ready CudaTimer::ready(const bench::Rotation& rotation, std::function<Launch(int copy)> make) {
  auto batch = std::make_shared<Batch>();
  batch->make = std::move(make);
  batch->copies = rotation.sets;
  batch->places.resize(static_cast<std::size_t>(rotation.placements));
  batch->places.front().launches.push_back(batch->make(0));
  const auto once = [&] { batch->places.front().launches.front()(stream_.get()); };
  (void)time_ms(once);
  double best_ms = time_ms(once), all_ms = best_ms;
  for (int i = 1; i < kLooksMax && all_ms < kLookMs; ++i) {
    const double ms = time_ms(once);
    best_ms = std::min(best_ms, ms);
    all_ms += ms;
  }
  batch->calls = bench::calls_for(best_ms, batch->copies);
  return {1e3 * best_ms, [this, batch] { return sample_us(*batch); }};
}

}  // namespace kernels::autotune
