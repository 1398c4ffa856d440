// SPDX-License-Identifier: Apache-2.0
// The calibration suite: speaks Google Benchmark's flags and JSON without its library, and does KG_INJECTED (0.03: 3 %)
// more of its own work. kernelgate embeds this text; the machine's own compiler builds it: c++, or nvcc, which also
// makes it work on the GPU. "compute" is a chain of dependent steps, "memory" a pass over a buffer larger than caches.
#include <regex.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr double kMore = 1 + KG_INJECTED;

#ifdef __CUDACC__
void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

constexpr int kBlocks = 264, kThreads = 256;
constexpr std::size_t kFloats = std::size_t{64} << 20;

__global__ void chain(float* out, int steps) {
  float x = threadIdx.x;
  for (int i = 0; i < steps; ++i) x = x * 1.0000001f + 0.5f;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
__global__ void add_up(const float* in, float* out, std::size_t count) {
  float sum = 0;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) sum += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

struct Work {
  float *in = nullptr, *out = nullptr;
  Work() {
    check(cudaMalloc(&in, 2 * kFloats * sizeof(float)));
    check(cudaMemset(in, 0, 2 * kFloats * sizeof(float)));
    check(cudaMalloc(&out, kBlocks * kThreads * sizeof(float)));
  }
  void compute() { chain<<<kBlocks, kThreads>>>(out, static_cast<int>(40000 * kMore)); }
  void memory() { add_up<<<kBlocks, kThreads>>>(in, out, static_cast<std::size_t>(kFloats * kMore)); }
  void wait() {
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  }
};
#else
constexpr std::size_t kWords = std::size_t{4} << 20;

struct Work {
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(2 * kWords, 1);
  volatile std::uint64_t sink = 1;
  void compute() {
    std::uint64_t x = sink;
    const long steps = static_cast<long>(200000 * kMore);
    for (long i = 0; i < steps; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
    sink = x;
  }
  void memory() {
    std::uint64_t sum = 0;
    for (std::size_t i = 0, count = static_cast<std::size_t>(kWords * kMore); i < count; ++i) sum += words[i];
    sink = sum;
  }
  void wait() {}
};
#endif

struct Case {
  const char* name;
  void (Work::*once)();
};
constexpr Case kCases[] = {{"calibration/compute", &Work::compute}, {"calibration/memory", &Work::memory}};

double seconds_of(Work& work, const Case& one, long iterations) {
  const auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < iterations; ++i) (work.*one.once)();
  work.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void run(Work& work, const Case& one, int repetitions, double min_time, std::FILE* out, bool& first) {
  long iterations = 1;
  while (seconds_of(work, one, iterations) < min_time && iterations < (1L << 30)) iterations *= 2;
  for (int i = 0; i < repetitions; ++i) {
    const double ns = seconds_of(work, one, iterations) / static_cast<double>(iterations) * 1e9;
    std::fprintf(out, "%s\n{\"name\":\"%s\",\"run_name\":\"%s\",\"run_type\":\"iteration\",\"repetitions\":%d,",
                 first ? "" : ",", one.name, one.name, repetitions);
    std::fprintf(out, "\"repetition_index\":%d,\"iterations\":%ld,\"real_time\":%.9g,\"cpu_time\":%.9g,", i, iterations,
                 ns, ns);
    std::fputs("\"time_unit\":\"ns\"}", out);
    first = false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string out_file, filter = ".";
  int repetitions = 1;
  double min_time = 0.0005;
  bool list = false;
  for (int i = 1; i < argc; ++i) {
    const char* value = std::strchr(argv[i], '=');
    const std::string name(argv[i], value ? static_cast<std::size_t>(value - argv[i]) : std::strlen(argv[i]));
    value = value ? value + 1 : "";
    if (name == "--benchmark_out")
      out_file = value;
    else if (name == "--benchmark_filter")
      filter = value;
    else if (name == "--benchmark_repetitions")
      repetitions = std::atoi(value);
    else if (name == "--benchmark_min_time")
      min_time = std::atof(value);
    else if (name == "--benchmark_list_tests")
      list = std::strcmp(value, "true") == 0;
    else if (name != "--benchmark_out_format")
      return std::fprintf(stderr, "unrecognized flag: %s\n", argv[i]), 1;
  }
  regex_t wanted;
  if (regcomp(&wanted, filter.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return std::fputs("bad filter\n", stderr), 1;
  if (list) {
    for (const Case& one : kCases) std::puts(one.name);
    return 0;
  }
  std::FILE* out = out_file.empty() ? stdout : std::fopen(out_file.c_str(), "w");
  if (!out) return std::perror(out_file.c_str()), 1;
  Work work;
  bool first = true;
  std::fputs("{\"context\":{},\"benchmarks\":[", out);
  for (const Case& one : kCases)
    if (regexec(&wanted, one.name, 0, nullptr, 0) == 0) run(work, one, repetitions, min_time, out, first);
  std::fputs("\n]}\n", out);
  return std::fclose(out) == 0 ? 0 : 1;
}
