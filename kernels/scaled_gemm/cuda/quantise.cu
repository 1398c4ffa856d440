// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/cuda/quantise.hpp"

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <stdexcept>

#include "kernels/bench/device.hpp"
#include "kernels/scaled_gemm/codecs.hpp"

namespace kernels::scaled {
namespace {

constexpr int kThreads = 224, kWarps = kThreads / 32;
constexpr int kVector = 8;                          // values that a thread loads at once: 16 bytes
constexpr int kGroupLanes = kScaleBlock / kVector;  // threads that share a scale
constexpr int kBlocksTogether = 4;                  // on a multiprocessor

constexpr int kTogether = 4;  // rows whose scales are written at once

struct NormArguments {
  const uint4 *x, *gain;
  uint2* values;
  float* scales;
  int rows, pitch, vectors;  // the last: of a row
  float inverse_columns, epsilon;
};

__device__ __forceinline__ void unpack(const uint4& packed, float (&values)[kVector]) {
  const std::uint32_t words[] = {packed.x, packed.y, packed.z, packed.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    values[2 * i] = __uint_as_float(words[i] << 16);
    values[2 * i + 1] = __uint_as_float(words[i] & 0xffff0000u);
  }
}

__device__ __forceinline__ std::uint32_t pack4(const float* values, float factor) {
  const auto low = __nv_cvt_float2_to_fp8x2({values[0] * factor, values[1] * factor}, __NV_SATFINITE, __NV_E4M3);
  const auto high = __nv_cvt_float2_to_fp8x2({values[2] * factor, values[3] * factor}, __NV_SATFINITE, __NV_E4M3);
  return static_cast<std::uint32_t>(low) | static_cast<std::uint32_t>(high) << 16;
}

template <int kVectors>
__device__ __forceinline__ void load_row(const NormArguments& given, int row, uint4 (&x)[kVectors]) {
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    const int vector = i * kThreads + static_cast<int>(threadIdx.x);
    x[i] = vector < given.vectors && row < given.rows
               ? __ldcs(given.x + static_cast<std::size_t>(row) * given.vectors + vector)
               : uint4{};
  }
}

// What a block keeps of kTogether rows until their norms are known.
struct Kept {
  float squares[kTogether][kWarps];
  float largest[kNormColumnsMax / kScaleBlock][kTogether];
};

// One vector of a row times its gain, in units of its group's largest: the norm is the same for the whole row, so it
// is needed for the scale alone. What is NaN stays so as a value. Returns the sum of squares.
__device__ __forceinline__ float quantise(const NormArguments& given, const uint4& x, int row, int together, int vector,
                                          Kept& kept) {
  float values[kVector], gains[kVector], squares = 0, largest = 0;
  unpack(x, values);
  unpack(vector < given.vectors ? __ldg(given.gain + vector) : uint4{}, gains);
#pragma unroll
  for (int i = 0; i < kVector; ++i) {
    squares = fmaf(values[i], values[i], squares);
    values[i] *= gains[i];
    largest = fmaxf(largest, fabsf(values[i]));
  }
#pragma unroll
  for (int step = kGroupLanes / 2; step > 0; step /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, step));
  if (largest < kNormSmallest) largest = 0;
  const float factor = largest == 0 ? 0 : __fdividef(kE4m3Max, largest);
  if (vector >= given.vectors) return 0;
  if (vector % kGroupLanes == 0) kept.largest[vector / kGroupLanes][together] = largest;
  if (row < given.rows)
    given.values[static_cast<std::size_t>(row) * given.vectors + vector] = {pack4(values, factor),
                                                                            pack4(values + 4, factor)};
  return squares;
}

// The scales of kTogether rows from `row` on.
__device__ __forceinline__ void store_scales(const NormArguments& given, int row, const Kept& kept) {
  const int blocks = (given.vectors + kGroupLanes - 1) / kGroupLanes;
  if (static_cast<int>(threadIdx.x) >= blocks) return;
  float norm[kTogether];
#pragma unroll
  for (int i = 0; i < kTogether; ++i) {
    float sum = 0;
#pragma unroll
    for (int warp = 0; warp < kWarps; ++warp) sum += kept.squares[i][warp];
    norm[i] = rsqrtf(sum * given.inverse_columns + given.epsilon) * (1 / kE4m3Max);
  }
  const float* largest = kept.largest[threadIdx.x];
  *reinterpret_cast<float4*>(given.scales + static_cast<std::size_t>(threadIdx.x) * given.pitch + row) = {
      largest[0] * norm[0], largest[1] * norm[1], largest[2] * norm[2], largest[3] * norm[3]};
}

// Persistent blocks, some rows together; the next row is on its way while one is quantised.
template <int kVectors>
__global__ void __launch_bounds__(kThreads, kVectors <= 4 ? kBlocksTogether : 2)
    norm_kernel(const NormArguments given) {
  __shared__ Kept both[2];
  const int thread = static_cast<int>(threadIdx.x), step = static_cast<int>(gridDim.x) * kTogether;
  uint4 x[kVectors], next[kVectors];
  int first = static_cast<int>(blockIdx.x) * kTogether, turn = 0;
  load_row(given, first, x);
  for (; first < given.rows; first += step, turn ^= 1) {
#pragma unroll 1
    for (int i = 0; i < kTogether; ++i) {
      load_row(given, i + 1 < kTogether ? first + i + 1 : first + step, next);
      float sum = 0;
#pragma unroll
      for (int j = 0; j < kVectors; ++j) sum += quantise(given, x[j], first + i, i, j * kThreads + thread, both[turn]);
#pragma unroll
      for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(~0u, sum, lanes);
      if (thread % 32 == 0) both[turn].squares[i][thread / 32] = sum;
#pragma unroll
      for (int j = 0; j < kVectors; ++j) x[j] = next[j];
    }
    __syncthreads();
    store_scales(given, first, both[turn]);
  }
}

template <int kVectors>
Launch launch_of(const NormArguments& arguments) {
  int together = 0;
  bench::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&together, norm_kernel<kVectors>, kThreads, 0),
               "asking how many blocks run at once");
  const int blocks =
      std::min(together * bench::current_device().multiprocessors, (arguments.rows + kTogether - 1) / kTogether);
  return [arguments, blocks](cudaStream_t stream) {
    norm_kernel<kVectors><<<blocks, kThreads, 0, stream>>>(arguments);
    bench::check(cudaGetLastError(), "launching a norm");
  };
}

}  // namespace

const char* norm_refusal(int rows, int columns) {
  if (rows < 1 || columns < 1 || columns % kSizeUnit != 0) return "columns are a multiple of 16, rows at least 1";
  return columns > kNormColumnsMax ? "a row has 16,384 columns at most" : nullptr;
}

Launch prepare_norm(const NormProblem& problem) {
  if (const char* reason = norm_refusal(problem.rows, problem.columns)) throw std::runtime_error(reason);
  const NormArguments arguments{.x = static_cast<const uint4*>(problem.x),
                                .gain = static_cast<const uint4*>(problem.gain),
                                .values = static_cast<uint2*>(problem.values),
                                .scales = problem.scales,
                                .rows = problem.rows,
                                .pitch = Shape{.m = problem.rows}.a_scale_pitch(),
                                .vectors = problem.columns / kVector,
                                .inverse_columns = 1 / static_cast<float>(problem.columns),
                                .epsilon = problem.epsilon};
  const int vectors = (arguments.vectors + kThreads - 1) / kThreads;
  if (vectors == 1) return launch_of<1>(arguments);
  if (vectors == 2) return launch_of<2>(arguments);
  if (vectors <= 4) return launch_of<4>(arguments);
  return launch_of<10>(arguments);
}

}  // namespace kernels::scaled
