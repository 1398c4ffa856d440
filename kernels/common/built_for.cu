// SPDX-License-Identifier: Apache-2.0
#include "kernels/bench/cuda.hpp"
#include "kernels/common/built_for.hpp"

namespace kernels {
namespace {

// One copy in the device code of each architecture that the program holds; the driver loads the one that fits the GPU.
struct BuiltFor {
  int arch;
  bool has_wgmma;
};
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
__device__ BuiltFor built_for{__CUDA_ARCH__, true};
#elif defined(__CUDA_ARCH__)
__device__ BuiltFor built_for{__CUDA_ARCH__, false};
#else
__device__ BuiltFor built_for{0, false};
#endif

BuiltFor loaded() {
  BuiltFor read{};
  bench::check(cudaMemcpyFromSymbol(&read, built_for, sizeof read), "reading what the device code was built for");
  return read;
}

}  // namespace

const char* sm_90_refusal() {
  static const bool kWorks = loaded().arch >= 900;
  return kWorks ? nullptr : "needs sm_90: a GPU of compute capability 9.0 or later and a program built for it";
}

const char* sm_90a_refusal() {
  static const bool kWorks = loaded().has_wgmma;
  return kWorks ? nullptr : "needs sm_90a: a Hopper card and a program built for it (CMAKE_CUDA_ARCHITECTURES=90a)";
}

}  // namespace kernels
