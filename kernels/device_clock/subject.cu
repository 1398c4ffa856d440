// SPDX-License-Identifier: Apache-2.0
// device_clock_subject: a suite as others write them, for trials of the device's clock. The host's clock times launch
// and wait. spin/N runs N cycles of the clock on each multiprocessor and states what the kernel itself counted; the
// others launch several kernels, kernels in paused parts, on several streams, and from a graph. `--until-killed`
// launches until a signal ends it.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

__global__ void spin(long long cycles, unsigned long long* counted) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  if (threadIdx.x == 0) atomicAdd(counted, static_cast<unsigned long long>(clock64() - begin));
}

// Each block counts what its own part took.
__global__ void stream_through(const float4* in, float4* out, int count, unsigned long long* counted) {
  const long long begin = clock64();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    float4 value = in[i];
    value.x += 1;
    out[i] = value;
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(counted, static_cast<unsigned long long>(clock64() - begin));
}

__global__ void first(float* data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void second(float* data) { data[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
__global__ void unrelated(float* data) { data[blockIdx.x * blockDim.x + threadIdx.x] -= 1; }

constexpr int kBlocks = 256, kThreads = 256;

struct Data {
  Data() {
    check(cudaMalloc(&values, sizeof(float) * kBlocks * kThreads));
    check(cudaMemset(values, 0, sizeof(float) * kBlocks * kThreads));
    check(cudaMalloc(&counted, sizeof *counted));
    check(cudaMemset(counted, 0, sizeof *counted));
  }
  ~Data() {
    (void)cudaFree(values);
    (void)cudaFree(counted);
  }
  float* values = nullptr;
  unsigned long long* counted = nullptr;
};

void state_cycles(benchmark::State& state, const Data& data, int blocks) {
  unsigned long long cycles = 0;
  check(cudaMemcpy(&cycles, data.counted, sizeof cycles, cudaMemcpyDeviceToHost));
  state.counters["cycles"] = static_cast<double>(cycles) / (static_cast<double>(state.iterations()) * blocks);
}

void spins(benchmark::State& state) {
  const Data data;
  for (auto _ : state) {
    spin<<<1, 32>>>(state.range(0), data.counted);
    check(cudaDeviceSynchronize());
  }
  state_cycles(state, data, 1);
}

void streams_through(benchmark::State& state) {
  const Data data;
  const int count = static_cast<int>(state.range(0)) / 16, blocks = 132;
  float4 *in = nullptr, *out = nullptr;
  check(cudaMalloc(&in, static_cast<std::size_t>(count) * 16));
  check(cudaMalloc(&out, static_cast<std::size_t>(count) * 16));
  check(cudaMemset(in, 0, static_cast<std::size_t>(count) * 16));
  for (auto _ : state) {
    stream_through<<<blocks, 1024>>>(in, out, count, data.counted);
    check(cudaDeviceSynchronize());
  }
  state_cycles(state, data, blocks);
  (void)cudaFree(in);
  (void)cudaFree(out);
}

void two_kernels(benchmark::State& state) {
  const Data data;
  for (auto _ : state) {
    first<<<kBlocks, kThreads>>>(data.values);
    second<<<kBlocks, kThreads>>>(data.values);
    second<<<kBlocks, kThreads>>>(data.values);
    check(cudaDeviceSynchronize());
  }
}

void paused(benchmark::State& state) {
  const Data data;
  for (auto _ : state) {
    state.PauseTiming();
    unrelated<<<kBlocks, kThreads>>>(data.values);
    check(cudaDeviceSynchronize());
    state.ResumeTiming();
    first<<<kBlocks, kThreads>>>(data.values);
    check(cudaDeviceSynchronize());
  }
}

void streams(benchmark::State& state) {
  const Data data;
  cudaStream_t each[4];
  for (auto& stream : each) check(cudaStreamCreate(&stream));
  for (auto _ : state) {
    for (auto& stream : each) first<<<kBlocks, kThreads, 0, stream>>>(data.values);
    check(cudaDeviceSynchronize());
  }
  for (auto& stream : each) check(cudaStreamDestroy(stream));
}

void graph(benchmark::State& state) {
  const Data data;
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < 10; ++i) first<<<kBlocks, kThreads, 0, stream>>>(data.values);
  second<<<kBlocks, kThreads, 0, stream>>>(data.values);
  cudaGraph_t captured;
  check(cudaStreamEndCapture(stream, &captured));
  cudaGraphExec_t ready;
  check(cudaGraphInstantiate(&ready, captured, 0));
  for (auto _ : state) {
    check(cudaGraphLaunch(ready, stream));
    check(cudaStreamSynchronize(stream));
  }
  check(cudaGraphExecDestroy(ready));
  check(cudaGraphDestroy(captured));
  check(cudaStreamDestroy(stream));
}

[[noreturn]] void run_until_killed() {
  const Data data;
  for (;;) {
    first<<<kBlocks, kThreads>>>(data.values);
    check(cudaDeviceSynchronize());
  }
}

}  // namespace

BENCHMARK(spins)->DenseRange(1500, 1640, 10)->Arg(20000)->Arg(200000);
BENCHMARK(streams_through)->Arg(1 << 16)->Arg(1 << 20)->Arg(1 << 24)->Arg(1 << 28);
BENCHMARK(two_kernels);
BENCHMARK(paused);
BENCHMARK(streams);
BENCHMARK(graph);

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--until-killed") == 0) run_until_killed();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
