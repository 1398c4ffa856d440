// SPDX-License-Identifier: Apache-2.0
// kg_probe_health [--limit-s N]: does the GPU still compute? Runs a tiny kernel and reads its answer back.
// One line of JSON. Exit code 0: healthy; 1: a CUDA error or a wrong answer, in words; 2: bad argument; 3: no GPU;
// 5: no answer within N seconds (default 10).
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include "kernels/bench/device.hpp"
#include "kernels/probe/health_arguments.hpp"

namespace {

using namespace kernels::bench;

constexpr int kElements = 1024;
constexpr int kNoAnswerExit = 5;

__global__ void square_kernel(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i * i + 1;
}

void say(bool healthy, const std::string& text) {
  std::printf("{\"healthy\":%s,\"text\":\"%s\"}\n", healthy ? "true" : "false", text.c_str());
  std::fflush(stdout);
}

// The name of the GPU. Throws CudaError.
std::string compute() {
  const Device device = current_device();
  const DeviceMemory memory(kElements * sizeof(unsigned));
  square_kernel<<<kElements / 256, 256>>>(static_cast<unsigned*>(memory.data()));
  check(cudaGetLastError(), "the launch");
  check(cudaDeviceSynchronize(), "waiting for the kernel");
  unsigned answer[kElements];
  check(cudaMemcpy(answer, memory.data(), sizeof answer, cudaMemcpyDeviceToHost), "reading the answer");
  for (unsigned i = 0; i < kElements; ++i)
    if (answer[i] != i * i + 1) throw std::runtime_error("the GPU computes wrongly");
  return device.name;
}

// A GPU that hangs answers no call at all, so the limit is held by another thread, which ends the process.
class Limit {
 public:
  explicit Limit(double seconds) : thread_([this, seconds] { wait(seconds); }) {}
  ~Limit() {
    {
      const std::lock_guard lock(mutex_);
      answered_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  void wait(double seconds) {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return answered_; })) return;
    say(false, "no answer from the GPU within " + std::to_string(static_cast<int>(seconds)) + " s");
    _exit(kNoAnswerExit);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool answered_ = false;
  std::thread thread_;
};

}  // namespace

int main(int count, char** arguments) {
  const auto limit_s = kernels::health_limit_s(count, arguments);
  if (!limit_s) {
    std::fprintf(stderr, "usage: %s [--limit-s N], N from 1 to 600\n", arguments[0]);
    return 2;
  }
  const Limit limit(*limit_s);
  if (const std::string reason = no_device_reason(); !reason.empty()) {
    say(false, reason);
    return kNoDeviceExit;
  }
  try {
    say(true, compute());
  } catch (const std::exception& error) {
    say(false, error.what());
    return 1;
  }
  return 0;
}
