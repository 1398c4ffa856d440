// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the kit's host code needs of CUDA: one check that throws, and owners of events, streams, graphs and memory.
// Owners release without throwing, so that a GPU that is lost does not end the program before it has said so.

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace kernels::bench {

struct CudaError : std::runtime_error {
  CudaError(cudaError_t error, const std::string& where)
      : std::runtime_error(std::string("CUDA error ") + std::to_string(static_cast<int>(error)) + " (" +
                           cudaGetErrorName(error) + "): " + cudaGetErrorString(error) + ", at " + where),
        code(error) {}
  cudaError_t code;
};

// `where` says in the message what was being done.
inline void check(cudaError_t error, const std::string& where) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // an error that is not sticky belongs to this call alone
  throw CudaError(error, where);
}

struct DestroyEvent {
  void operator()(cudaEvent_t event) const noexcept { (void)cudaEventDestroy(event); }
};
struct DestroyStream {
  void operator()(cudaStream_t stream) const noexcept { (void)cudaStreamDestroy(stream); }
};
struct DestroyGraph {
  void operator()(cudaGraphExec_t graph) const noexcept { (void)cudaGraphExecDestroy(graph); }
};
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyEvent>;
using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream>;
using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyGraph>;

[[nodiscard]] inline Event make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event), "cudaEventCreate");
  return Event(event);
}
[[nodiscard]] inline Stream make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  return Stream(stream);
}

// What `enqueue` puts on the stream, as a graph; throws what it throws.
template <class Enqueue>
[[nodiscard]] Graph captured(cudaStream_t stream, Enqueue enqueue) {
  cudaGraph_t made = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "beginning a graph");
  try {
    enqueue();
  } catch (...) {
    (void)cudaStreamEndCapture(stream, &made);
    if (made != nullptr) (void)cudaGraphDestroy(made);
    (void)cudaGetLastError();
    throw;
  }
  check(cudaStreamEndCapture(stream, &made), "ending a graph");
  cudaGraphExec_t ready = nullptr;
  const cudaError_t error = cudaGraphInstantiate(&ready, made, 0);
  (void)cudaGraphDestroy(made);
  check(error, "making a graph");
  return Graph(ready);
}

// Memory of the GPU, untyped.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t bytes) : bytes_(bytes) {
    if (bytes > 0) check(cudaMalloc(&data_, bytes), "cudaMalloc of " + std::to_string(bytes) + " bytes");
  }
  DeviceMemory(DeviceMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~DeviceMemory() { (void)cudaFree(data_); }

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace kernels::bench
