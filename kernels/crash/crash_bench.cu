// SPDX-License-Identifier: Apache-2.0
// crash_bench: each benchmark does one evil thing, but for crash/good. Run alone with
// --benchmark_filter='^crash/NAME/'; README.md says what each must give.
#include <cassert>
#include <csignal>
#include <limits>

#include "kernels/bench/suite.hpp"

namespace {

using namespace kernels::bench;

constexpr int kCount = 1 << 20, kThreads = 256, kBlocks = kCount / kThreads;

__global__ void good_kernel(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];
}

__global__ void illegal_address_kernel(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const std::size_t far = i == 1000 ? std::size_t{1} << 40 : 0;
  out[i + far] = in[i];
}

__global__ void misaligned_address_kernel(const float* in, float* out) {
  const unsigned i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 5 >= kCount) return;
  *reinterpret_cast<float4*>(out + i + 1) = *reinterpret_cast<const float4*>(in + i);
}

__global__ void trap_kernel(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 2) out[i] = 0;  // never: inputs lie in (-1, 1)
  if (i == 1000) __trap();
}

__global__ void assert_kernel(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(in[i] < 0.9f);
  out[i] = in[i];
}

__global__ void hang_kernel(const volatile float* in, float* out) {
  while (in[0] < 2) {
  }
  out[0] = 1;
}

// `kernel` on one input and one output of kCount floats.
Case kernel_case(const char* name, void (*kernel)(const float*, float*), std::size_t shared_bytes = 0,
                 int threads = kThreads) {
  return {
      .name = std::string("crash/") + name, .bytes = 2.0 * kCount * sizeof(float), .make = [=](Operands& set) {
        const float* in = set.input<float>(kCount);
        float* out = set.output<float>(kCount);
        return Work{
            .launch = [=](cudaStream_t stream) { kernel<<<kBlocks, threads, shared_bytes, stream>>>(in, out); },
            .shape = {
                .grid = dim3(kBlocks), .block = dim3(static_cast<unsigned>(threads)), .shared_bytes = shared_bytes}};
      }};
}

void launch_hang(const float* in, float* out, cudaStream_t stream) { hang_kernel<<<1, 1, 0, stream>>>(in, out); }

Case hang_case() {
  return {.name = "crash/hang", .make = [](Operands& set) {
            const float* in = set.input<float>(kCount);
            float* out = set.output<float>(kCount);
            return Work{.launch = [=](cudaStream_t stream) { launch_hang(in, out, stream); }};
          }};
}

Case out_of_memory_case() {
  return {.name = "crash/out_of_memory", .make = [](Operands& set) -> Work {
            (void)set.output<float>(std::size_t{1} << 44);
            return {};
          }};
}

Case host_segfault_case() {
  return {.name = "crash/host_segfault", .make = [](Operands&) -> Work {
            std::raise(SIGSEGV);
            return {};
          }};
}

}  // namespace

int main(int count, char** arguments) {
  constexpr std::size_t kTooMuchShared = 1 << 20;
  return run_suite(
      count, arguments,
      {kernel_case("good", good_kernel), kernel_case("too_much_shared_memory", good_kernel, kTooMuchShared),
       kernel_case("bad_configuration", good_kernel, 0, 2048), out_of_memory_case(),
       kernel_case("illegal_address", illegal_address_kernel),
       kernel_case("misaligned_address", misaligned_address_kernel), kernel_case("launch_failure", trap_kernel),
       kernel_case("device_assert", assert_kernel), kernel_case("good_after_sticky_error", good_kernel), hang_case(),
       host_segfault_case()});
}
