// SPDX-License-Identifier: Apache-2.0
#include "kernels/bench/prepared.hpp"

#include <algorithm>

namespace kernels::bench {
namespace {

constexpr int kEstimateCalls = 10;
constexpr int kTriesMax = 4;

}  // namespace

Prepared::Prepared(Bench& bench, const Case& what) : bench_(bench) {
  add_set(what);
  rotation_ = rotation_for(what.cache, footprint_bytes(), bench_.device.l2_bytes);
  while (static_cast<int>(sets_.size()) < rotation_.sets) add_set(what);
  warm_up();
  if (rotation_.mode == Mode::graph) build_graphs();
}

void Prepared::add_set(const Case& what) {
  auto set = std::make_unique<Set>(Set{Operands(bench_.device, kSeed, bench_.stream.get()), {}});
  set->work = what.make(set->operands);
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

double Prepared::estimate_call_ms() {
  const double ms = time([&] { enqueue(kEstimateCalls, work().reset ? Content::calls_and_resets : Content::calls); });
  return ms / kEstimateCalls;
}

// Launches in a graph follow each other faster than those of the estimate, so a batch may come out too short.
void Prepared::build_graphs() {
  const Content content = work().reset ? Content::calls_and_resets : Content::calls;
  double call_ms = estimate_call_ms();
  for (int i = 0; i < kTriesMax; ++i) {
    calls_ = calls_for(call_ms, rotation_.sets);
    graph_ = capture(calls_, content);
    if (work().reset) reset_graph_ = capture(calls_, Content::resets);
    (void)time_graph(graph_);  // the first launch of a graph carries its upload
    const double reset_ms = reset_graph_ ? time_graph(reset_graph_) : 0;
    const double ms = without_reset(time_graph(graph_), reset_ms);
    if (ms >= kShortestMs || calls_ >= kCallsMax) return;
    call_ms = ms / calls_;
  }
}

void Prepared::enqueue(int calls, Content content) {
  const cudaStream_t stream = bench_.stream.get();
  for (int i = 0; i < calls; ++i) {
    const Work& work = sets_[static_cast<std::size_t>(i) % sets_.size()]->work;
    if (content != Content::calls) work.reset(stream);
    if (content != Content::resets) work.launch(stream);
    check(cudaGetLastError(), "the launch");
  }
}

Graph Prepared::capture(int calls, Content content) {
  const cudaStream_t stream = bench_.stream.get();
  cudaGraph_t made = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "beginning a graph");
  try {
    enqueue(calls, content);
  } catch (...) {
    (void)cudaStreamEndCapture(stream, &made);
    (void)cudaGraphDestroy(made);
    throw;
  }
  check(cudaStreamEndCapture(stream, &made), "ending a graph");
  cudaGraphExec_t ready = nullptr;
  const cudaError_t error = cudaGraphInstantiate(&ready, made, 0);
  (void)cudaGraphDestroy(made);
  check(error, "making a graph of " + std::to_string(calls) + " calls");
  return Graph(ready);
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

Prepared::Batch Prepared::run() {
  Batch batch;
  const cudaStream_t stream = bench_.stream.get();
  if (rotation_.mode == Mode::graph) {
    const double reset_ms = reset_graph_ ? time_graph(reset_graph_) : 0;
    batch.ms = without_reset(time_graph(graph_), reset_ms);
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
