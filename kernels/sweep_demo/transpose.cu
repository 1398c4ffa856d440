// SPDX-License-Identifier: Apache-2.0
#include "kernels/sweep_demo/transpose.hpp"

namespace kernels {
namespace {

constexpr int kVector = 8;  // halves of one 16-byte access
constexpr int kRowsOfWarp = kBlockM / kWarps;

__device__ void load_tile(__half* tile, const __half* in, int row0) {
  for (int i = threadIdx.x; i < kBlockM * kColumns / kVector; i += kTransposeThreads) {
    const int row = i / (kColumns / kVector), piece = i % (kColumns / kVector);
    reinterpret_cast<uint4*>(tile)[i] =
        reinterpret_cast<const uint4*>(in + static_cast<std::size_t>(row0 + row) * kColumns)[piece];
  }
}

// One instruction: of an assignment the compiler makes four smaller stores, which need no alignment.
__device__ void store_run(__half* out, const unsigned (&pairs)[kVector / 2]) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(out)), "r"(pairs[0]),
               "r"(pairs[1]), "r"(pairs[2]), "r"(pairs[3])
               : "memory");
}

// Each warp turns its own rows: lanes go over the columns and write a run of rows of one column at a time. A share that
// is not of whole runs begins inside one, and a store of a run there is misaligned.
__device__ void store_tile(const __half* tile, __half* out, int rows, int row0) {
  const int first = threadIdx.x / 32 * kRowsOfWarp, lane = threadIdx.x % 32;
  for (int column = lane; column < kColumns; column += 32)
    for (int row = first; row + kVector <= first + kRowsOfWarp; row += kVector) {
      unsigned pairs[kVector / 2];
#pragma unroll
      for (int i = 0; i < kVector / 2; ++i) {
        const __half2 pair =
            __halves2half2(tile[(row + 2 * i) * kColumns + column], tile[(row + 2 * i + 1) * kColumns + column]);
        pairs[i] = *reinterpret_cast<const unsigned*>(&pair);
      }
      store_run(out + static_cast<std::size_t>(column) * rows + row0 + row, pairs);
    }
}

__global__ void transpose_kernel(const __half* __restrict__ in, __half* __restrict__ out, int rows) {
  extern __shared__ __align__(16) __half tiles[];
  const int tiles_in_all = rows / kBlockM;
  for (int first = blockIdx.x * kStages; first < tiles_in_all; first += gridDim.x * kStages) {
    for (int stage = 0; stage < kStages && first + stage < tiles_in_all; ++stage)
      load_tile(tiles + stage * kBlockM * kColumns, in, (first + stage) * kBlockM);
    __syncthreads();
    for (int stage = 0; stage < kStages && first + stage < tiles_in_all; ++stage)
      store_tile(tiles + stage * kBlockM * kColumns, out, rows, (first + stage) * kBlockM);
    __syncthreads();
  }
}

}  // namespace

void transpose(const __half* in, __half* out, int rows, cudaStream_t stream) {
  const int blocks = (rows / kBlockM + kStages - 1) / kStages;
  transpose_kernel<<<blocks, kTransposeThreads, kTransposeShared, stream>>>(in, out, rows);
}

}  // namespace kernels
