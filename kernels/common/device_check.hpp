// SPDX-License-Identifier: Apache-2.0
#pragma once

// The main() of a check program for CUDA kernels: cases with the fixed seed first, then with a fresh one; outputs
// poisoned and fenced; one line of JSON per case. Exit code 0: all passed; 1: one is wrong or ended in a CUDA error,
// after which nothing more is run; 2: bad argument; 3: no GPU.

#include <functional>
#include <string>
#include <vector>

#include "kernels/bench/cuda.hpp"
#include "kernels/common/outcome.hpp"

namespace kernels {

struct CheckCase {
  std::string name, shape;
  double bound = 0;
  // The inputs are made from the seed alone.
  std::function<Expected(std::uint64_t seed)> oracle;
  // Runs the kernel on the same inputs; `output` points to the GPU's poisoned memory.
  std::function<void(std::uint64_t seed, float* output)> run;
};

// usage: PROGRAM [SEED]
[[nodiscard]] int check_main(int count, char** arguments, const std::vector<CheckCase>& cases);

// Values on the GPU.
template <class T>
[[nodiscard]] bench::DeviceMemory to_device(const std::vector<T>& values) {
  bench::DeviceMemory memory(values.size() * sizeof(T));
  bench::check(cudaMemcpy(memory.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
               "copying an input to the GPU");
  return memory;
}

}  // namespace kernels
