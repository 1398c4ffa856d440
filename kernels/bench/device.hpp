// SPDX-License-Identifier: Apache-2.0
#pragma once

// The GPU in use and the small kernels that every benchmark needs: filling, poisoning, flushing the L2, reading
// clocks. All of them only enqueue; errors of the launch are thrown as CudaError.

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/bench/cuda.hpp"
#include "kernels/bench/datasheet.hpp"

namespace kernels::bench {

inline constexpr int kNoDeviceExit = 3;               // exit code of every program here where no GPU can be used
inline constexpr int kBrokenDeviceExit = 4;           // and where one is there, but does not do the simplest things
inline constexpr std::uint32_t kPoison = 0x7fc0dead;  // a NaN that no arithmetic makes

struct Device {
  std::string name;
  int multiprocessors = 0;
  std::size_t l2_bytes = 0;
  int compute_major = 0, compute_minor = 0;
  std::optional<Datasheet> sheet;
};

// Facts of device 0. Throws CudaError where there is none.
[[nodiscard]] Device current_device();

// Why no GPU can be used, in words that name the CUDA error; empty where one can be.
[[nodiscard]] std::string no_device_reason();

void fill_random(float* data, std::size_t count, std::uint64_t seed, cudaStream_t stream);
void fill_random(void* half_data, std::size_t count, std::uint64_t seed, bool bfloat, cudaStream_t stream);
void fill_poison(void* data, std::size_t bytes, cudaStream_t stream);

// Holds the stream until the host says go, so that all that is timed is queued before the clock starts: the GPU then
// never waits for the host. Lets go by itself after a millisecond (a debugger may run launches one by one).
class Gate {
 public:
  Gate();
  void close(cudaStream_t stream);
  void open();

 private:
  struct FreeHost {
    void operator()(unsigned* word) const noexcept { (void)cudaFreeHost(word); }
  };
  std::unique_ptr<unsigned, FreeHost> word_;
  unsigned ticket_ = 0;
};

// Reads clock64 and globaltimer on every multiprocessor.
class Clocks {
 public:
  explicit Clocks(int multiprocessors);
  void read_before(cudaStream_t stream) { read(0, stream); }
  void read_after(cudaStream_t stream) { read(1, stream); }

  struct Span {
    double cycles = 0, ns = 0;  // medians over the multiprocessors; 0 where none was seen twice
  };
  // Waits for the stream.
  [[nodiscard]] Span span(cudaStream_t stream);

 private:
  void read(int which, cudaStream_t stream);
  int multiprocessors_;
  DeviceMemory slots_;
};

// Writes twice the L2, so that nothing of a benchmark stays in it.
class Flush {
 public:
  explicit Flush(std::size_t l2_bytes) : memory_(2 * l2_bytes) {}
  void run(cudaStream_t stream);

 private:
  DeviceMemory memory_;
};

}  // namespace kernels::bench
