// SPDX-License-Identifier: Apache-2.0
// Kernels whose device code the disassembly test knows: make.sh builds them and keeps what the tools say.
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>

__global__ void saxpy(float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}

template <int N>
__global__ void copy_wide(const float4* from, float4* to) {
#pragma unroll
  for (int i = 0; i < N; ++i) to[i * blockDim.x + threadIdx.x] = from[i * blockDim.x + threadIdx.x];
}
template __global__ void copy_wide<2>(const float4*, float4*);

// Far more live values than 32 registers hold: the compiler must spill.
__global__ void __launch_bounds__(1024, 2) spilling(const volatile float* from, float* to) {
  float live[48];
#pragma unroll
  for (int i = 0; i < 48; ++i) live[i] = from[i * 1024 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 48; ++i) to[i * 1024 + threadIdx.x] = live[i] * live[(7 * i + 3) % 48] + live[(5 * i + 1) % 48];
}

namespace {
__global__ void hidden(const half* a, const half* b, float* c) {
  using namespace nvcuda;
  __shared__ half tile[256];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = a[i];
  __syncwarp();
  wmma::fill_fragment(sum, 0.0F);
  wmma::load_matrix_sync(left, tile, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
}  // namespace

__global__ void group_matrix(std::uint64_t left, std::uint64_t right, float4* out) {
  float4 sum = {};
  asm volatile(
      "wgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;\n"
      "wgmma.commit_group.sync.aligned;\n"
      "wgmma.wait_group.sync.aligned 0;\n"
      : "+f"(sum.x), "+f"(sum.y), "+f"(sum.z), "+f"(sum.w)
      : "l"(left), "l"(right));
  out[threadIdx.x] = sum;
}

int main() { hidden<<<1, 32>>>(nullptr, nullptr, nullptr); }
