// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/cuda/quantise.hpp"

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <stdexcept>

#include "kernels/bench/cuda.hpp"
#include "kernels/scaled_gemm/codecs.hpp"

namespace kernels::scaled {
namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kVector = 8;                          // values that a thread loads at once: 16 bytes
constexpr int kGroupLanes = kScaleBlock / kVector;  // threads that share a scale
constexpr int kRowsTogether = 8;                    // of a block: a sector of scales

struct NormArguments {
  const uint4 *x, *gain;
  uint2* values;
  float* scales;
  int rows, vectors, blocks;  // the last two: of a row
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

// Of all threads; `parts` is for one row, and the next row's is another.
__device__ __forceinline__ float sum_of_block(float value, float* parts) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kWarps; ++i) sum += parts[i];
  return sum;
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

// One vector of a row: normed, its group's scale found, and both written.
__device__ __forceinline__ void quantise(const NormArguments& given, const uint4& x, const uint4& gain, float norm,
                                         int row, int vector, float* scales) {
  float values[kVector], gains[kVector], largest = 0;
  unpack(x, values);
  unpack(gain, gains);
  bool nan = false;
#pragma unroll
  for (int i = 0; i < kVector; ++i) {
    values[i] = values[i] * norm * gains[i];
    nan = nan || values[i] != values[i];
    largest = fmaxf(largest, fabsf(values[i]));
  }
  if (nan) largest = nanf("");
#pragma unroll
  for (int step = kGroupLanes / 2; step > 0; step /= 2) {
    const float other = __shfl_xor_sync(~0u, largest, step);
    largest = largest != largest || other != other ? nanf("") : fmaxf(largest, other);
  }
  if (largest < kNormSmallest) largest = 0;
  const float factor = largest == 0 ? 0 : kE4m3Max / largest;
  if (vector >= given.vectors || row >= given.rows) return;
  if (vector % kGroupLanes == 0) scales[vector / kGroupLanes * kRowsTogether] = largest * (1 / kE4m3Max);
  given.values[static_cast<std::size_t>(row) * given.vectors + vector] = {pack4(values, factor),
                                                                          pack4(values + 4, factor)};
}

// kRowsTogether rows one after another; the next is on its way while one is quantised.
template <int kVectors>
__global__ void __launch_bounds__(kThreads) norm_kernel(const NormArguments given) {
  __shared__ float parts[kRowsTogether][kWarps];
  __shared__ float scales[kVectors * kThreads / kGroupLanes * kRowsTogether];
  const int first = static_cast<int>(blockIdx.x) * kRowsTogether, thread = static_cast<int>(threadIdx.x);
  uint4 gain[kVectors], x[kVectors], next[kVectors];
  load_row(given, first, x);
#pragma unroll
  for (int i = 0; i < kVectors; ++i)
    gain[i] = i * kThreads + thread < given.vectors ? given.gain[i * kThreads + thread] : uint4{};
#pragma unroll 1
  for (int i = 0; i < kRowsTogether; ++i) {
    if (i + 1 < kRowsTogether) load_row(given, first + i + 1, next);
    float sum = 0;
#pragma unroll
    for (int j = 0; j < kVectors; ++j) {
      float values[kVector];
      unpack(x[j], values);
#pragma unroll
      for (int k = 0; k < kVector; ++k) sum = fmaf(values[k], values[k], sum);
    }
    const float norm = rsqrtf(sum_of_block(sum, parts[i]) * given.inverse_columns + given.epsilon);
#pragma unroll
    for (int j = 0; j < kVectors; ++j)
      quantise(given, x[j], gain[j], norm, first + i, j * kThreads + thread, scales + i);
#pragma unroll
    for (int j = 0; j < kVectors; ++j) x[j] = next[j];
  }
  __syncthreads();
  for (int i = thread; i < given.blocks * kRowsTogether; i += kThreads) {
    const int row = first + i % kRowsTogether;
    if (row < given.rows) given.scales[static_cast<std::size_t>(i / kRowsTogether) * given.rows + row] = scales[i];
  }
}

template <int kVectors>
Launch launch_of(const NormArguments& arguments) {
  return [arguments](cudaStream_t stream) {
    norm_kernel<kVectors><<<(arguments.rows + kRowsTogether - 1) / kRowsTogether, kThreads, 0, stream>>>(arguments);
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
                                .vectors = problem.columns / kVector,
                                .blocks = (problem.columns + kScaleBlock - 1) / kScaleBlock,
                                .inverse_columns = 1 / static_cast<float>(problem.columns),
                                .epsilon = problem.epsilon};
  const int vectors = (arguments.vectors + kThreads - 1) / kThreads;
  if (vectors == 1) return launch_of<1>(arguments);
  if (vectors == 2) return launch_of<2>(arguments);
  if (vectors <= 4) return launch_of<4>(arguments);
  return launch_of<8>(arguments);
}

}  // namespace kernels::scaled
