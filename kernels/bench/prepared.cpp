// SPDX-License-Identifier: Apache-2.0
#include "kernels/bench/prepared.hpp"

#include <stdexcept>
#include <utility>

namespace kernels::bench {
namespace {

constexpr int kEstimateCalls = 10;
constexpr int kTriesMax = 4;

}  // namespace

Prepared::Prepared(Bench& bench, const Case& what) : bench_(bench) {
  add_set(what);
  rotation_ = rotation_for(what.cache, footprint_bytes(), bench_.device.l2_bytes);
  while (static_cast<int>(sets_.size()) < rotation_.sets * rotation_.placements) add_set(what);
  warm_up();
  if (rotation_.mode == Mode::flushed) return;
  places_.resize(static_cast<std::size_t>(rotation_.placements));
  choose_calls();
}

void Prepared::add_set(const Case& what) {
  const auto pin = bench_.pinned.find(result_name(what.name, what.cache));
  const std::string pinned = pin == bench_.pinned.end() ? std::string() : pin->second;
  auto set = std::make_unique<Set>(Set{Operands(bench_.device, kSeed, bench_.stream.get(), pinned), {}});
  set->work = what.make(set->operands);
  if (!pinned.empty() && set->work.configuration != pinned)
    throw std::runtime_error(std::string(kConfigurationsVariable) + " pins it to " + pinned + ", but it ran " +
                             (set->work.configuration.empty() ? "what has no configuration" : set->work.configuration));
  sets_.push_back(std::move(set));
}

void Prepared::call(Set& set) {
  if (set.work.reset) set.work.reset(bench_.stream.get());
  set.work.launch(bench_.stream.get());
  check(cudaGetLastError(), "the launch");
}

void Prepared::warm_up() {
  call(*sets_.front());
  check(cudaStreamSynchronize(bench_.stream.get()), "the first call");
  if (work().errors) errors_ = work().errors();
  for (int i = 0; i < kWarmUps; ++i)
    for (auto& set : sets_) call(*set);
  check(cudaStreamSynchronize(bench_.stream.get()), "the warm-up");
}

Prepared::Set& Prepared::set_of(int place, int call) {
  return *sets_[static_cast<std::size_t>(place * rotation_.sets + call % rotation_.sets)];
}

double Prepared::estimate_call_ms() {
  const Content content = work().reset ? Content::calls_and_resets : Content::calls;
  return time([&] { enqueue(0, kEstimateCalls, content); }) / kEstimateCalls;
}

// Launches in a graph follow each other faster than those of the estimate, so a batch may come out too short.
void Prepared::choose_calls() {
  double call_ms = estimate_call_ms();
  for (int i = 0; i < kTriesMax; ++i) {
    calls_ = calls_for(call_ms, rotation_.sets);
    build(0);
    const double ms = time_place(0);
    if (ms >= kShortestMs || calls_ >= kCallsMax) return;
    call_ms = ms / calls_;
  }
}

void Prepared::build(int place) {
  Place& made = places_[static_cast<std::size_t>(place)];
  made.calls = capture(place, work().reset ? Content::calls_and_resets : Content::calls);
  if (work().reset) made.resets = capture(place, Content::resets);
  (void)time_place(place);  // the first launch of a graph carries its upload
}

// The batches before worked on other places.
void Prepared::refresh(int place) {
  for (int i = 0; i < rotation_.sets; ++i) call(set_of(place, i));
}

void Prepared::enqueue(int place, int calls, Content content) {
  const cudaStream_t stream = bench_.stream.get();
  for (int i = 0; i < calls; ++i) {
    const Work& work = set_of(place, i).work;
    if (content != Content::calls) work.reset(stream);
    if (content != Content::resets) work.launch(stream);
    check(cudaGetLastError(), "the launch");
  }
}

Graph Prepared::capture(int place, Content content) {
  return captured(bench_.stream.get(), [&] { enqueue(place, calls_, content); });
}

double Prepared::time(const std::function<void()>& enqueue_timed) {
  const cudaStream_t stream = bench_.stream.get();
  bench_.gate.close(stream);
  try {
    bench_.clocks.read_before(stream);
    check(cudaEventRecord(bench_.start.get(), stream), "the event before");
    enqueue_timed();
    check(cudaEventRecord(bench_.stop.get(), stream), "the event after");
    bench_.clocks.read_after(stream);
  } catch (...) {
    bench_.gate.open();
    throw;
  }
  bench_.gate.open();
  check(cudaStreamSynchronize(stream), "waiting for the kernel");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, bench_.start.get(), bench_.stop.get()), "the time between the events");
  return ms;
}

double Prepared::time_graph(const Graph& graph) {
  return time([&] { check(cudaGraphLaunch(graph.get(), bench_.stream.get()), "the launch of the graph"); });
}

double Prepared::time_place(int place) {
  const Place& ready = places_[static_cast<std::size_t>(place)];
  if (rotation_.placements > 1) refresh(place);
  const double reset_ms = ready.resets ? time_graph(ready.resets) : 0;
  return without_reset(time_graph(ready.calls), reset_ms);
}

Prepared::Batch Prepared::run() {
  Batch batch;
  const cudaStream_t stream = bench_.stream.get();
  if (rotation_.mode == Mode::graph) {
    const int place = std::exchange(next_place_, (next_place_ + 1) % rotation_.placements);
    if (!places_[static_cast<std::size_t>(place)].calls) build(place);
    batch.ms = time_place(place);
  } else {
    if (work().reset) work().reset(stream);
    bench_.flush.run(stream);
    batch.ms = time([&] {
      work().launch(stream);
      check(cudaGetLastError(), "the launch");
    });
  }
  batch.span = bench_.clocks.span(stream);
  return batch;
}

}  // namespace kernels::bench
