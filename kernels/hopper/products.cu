// SPDX-License-Identifier: Apache-2.0
#include "kernels/bench/cuda.hpp"
#include "kernels/hopper/barrier.cuh"
#include "kernels/hopper/copies.cuh"
#include "kernels/hopper/products.hpp"
#include "kernels/hopper/wgmma.cuh"

namespace kernels::hopper {
namespace {

constexpr int kRowsMax = 256, kSharedBytes = kSwizzleRepeats + (128 + kRowsMax) * kProductRowBytes;

template <class T>
constexpr Element kElement = sizeof(T) == 1 ? Element::e4m3 : Element::fp16;
template <>
constexpr Element kElement<__nv_bfloat16> = Element::bf16;

// Rows of 128 bytes, which are `stride` bytes apart, into shared memory in the order of the 128-byte swizzle.
__device__ void stage(const unsigned char* from, int stride, unsigned char* to, int rows) {
  for (int i = threadIdx.x; i < rows * 8; i += blockDim.x)
    *reinterpret_cast<uint4*>(to + swizzled<Swizzle::bytes128>(i / 8, i % 8)) =
        *reinterpret_cast<const uint4*>(from + static_cast<std::size_t>(i / 8) * stride + i % 8 * 16);
}

// The two rows of a thread, of which `first` is where its first pair belongs.
template <int kCount>
__device__ void write_sums(const float (&sums)[kCount], float* first) {
#pragma unroll
  for (int i = 0; i < kCount / 4; ++i)
#pragma unroll
    for (int half = 0; half < 2; ++half)
      *reinterpret_cast<float2*>(first + half * 8 * (kCount * 2) + 8 * i) =
          make_float2(sums[4 * i + 2 * half], sums[4 * i + 2 * half + 1]);
}

template <class T, int kN, bool kFromRegisters, Major kLeft, Major kRight>
__global__ void __launch_bounds__(kWarpgroup, 1) product_kernel(const void* a, const void* b, float* d) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // elsewhere nobody launches it: see common/built_for.hpp
  constexpr int kDepth = kProductRowBytes / static_cast<int>(sizeof(T)), kSteps = kProductRowBytes / 32;
  constexpr int kPanel = kDepth * kPanelBytes;  // of 64 rows of an operand that is stored with these contiguous
  extern __shared__ unsigned char shared[];
  unsigned char* const left_at =
      shared + (kSwizzleRepeats - shared_address(shared) % kSwizzleRepeats) % kSwizzleRepeats;
  unsigned char* const right_at = left_at + 64 * kPanelBytes;
  const auto* const a_bytes = static_cast<const unsigned char*>(a);
  const auto* const b_bytes = static_cast<const unsigned char*>(b);
  stage(a_bytes, kPanelBytes, left_at, 64);
  if constexpr (kRight == Major::k) {
    stage(b_bytes, kPanelBytes, right_at, kN);
  } else {
    for (int panel = 0; panel < kN / 64; ++panel)
      stage(b_bytes + panel * kPanelBytes, kN * 2, right_at + panel * kPanel, kDepth);
  }
  fence_for_copies();
  __syncthreads();

  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const auto* const words = static_cast<const std::uint32_t*>(a) + (warp * 16 + lane / 4) * 32 + lane % 4;
  std::uint32_t fragments[kSteps][4];
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int i = 0; i < 4; ++i) fragments[step][i] = words[step * 8 + i % 2 * 256 + i / 2 * 4];
    hold(fragments[step]);
  }
  float sums[kN / 2];
  wgmma_begin();
#pragma unroll
  for (int round = 0; round < 2; ++round)
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      const std::uint64_t left = descriptor<Swizzle::bytes128>(
          shared_address(left_at) + (kLeft == Major::k ? step * 32 : step * 16 * kPanelBytes), 16);
      const std::uint64_t right = descriptor<Swizzle::bytes128>(
          shared_address(right_at) + (kRight == Major::k ? step * 32 : step * 16 * kPanelBytes), kPanel);
      const auto multiply_step = [&]<Sums kSums>() {
        if constexpr (sizeof(T) == 1 && kFromRegisters) wgmma<kSums>(T{}, sums, fragments[step], right);
        if constexpr (sizeof(T) == 1 && !kFromRegisters) wgmma<kSums>(T{}, sums, left, right);
        if constexpr (sizeof(T) == 2 && kFromRegisters) wgmma<kSums, kRight>(T{}, sums, fragments[step], right);
        if constexpr (sizeof(T) == 2 && !kFromRegisters) wgmma<kSums, kLeft, kRight>(T{}, sums, left, right);
      };
      if (round == 0 && step == 0) {
        multiply_step.template operator()<Sums::clear>();
      } else {
        multiply_step.template operator()<Sums::keep>();
      }
    }
  wgmma_commit();
  wgmma_wait<0>();
  hold(sums);
  write_sums(sums, d + (warp * 16 + lane / 4) * kN + lane % 4 * 2);
#endif
}

template <class T, int kN, bool kFromRegisters, Major kLeft = Major::k, Major kRight = Major::k>
ProductForm form() {
  return {kElement<T>,           kN,
          kFromRegisters,        kLeft == Major::rows,
          kRight == Major::rows, product_kernel<T, kN, kFromRegisters, kLeft, kRight>};
}

template <int... kN>
void add_sizes(std::vector<ProductForm>& forms) {
  (forms.insert(forms.end(),
                {form<__half, kN, false>(), form<__half, kN, true>(), form<__nv_bfloat16, kN, false>(),
                 form<__nv_bfloat16, kN, true>(), form<__nv_fp8_e4m3, kN, false>(), form<__nv_fp8_e4m3, kN, true>()}),
   ...);
}

template <int... kN>
void add_rows(std::vector<ProductForm>& forms) {
  constexpr Major kK = Major::k, kRows = Major::rows;
  (forms.insert(forms.end(),
                {form<__half, kN, false, kRows, kK>(), form<__half, kN, false, kK, kRows>(),
                 form<__half, kN, false, kRows, kRows>(), form<__half, kN, true, kK, kRows>(),
                 form<__nv_bfloat16, kN, false, kRows, kRows>(), form<__nv_bfloat16, kN, true, kK, kRows>()}),
   ...);
}

}  // namespace

std::span<const ProductForm> product_forms() {
  static const std::vector<ProductForm> kForms = [] {
    std::vector<ProductForm> forms;
    add_sizes<32, 64, 80, 96, 112, 128, 144, 160, 176, 192, 256>(forms);
    add_rows<64, 128, 256>(forms);
    return forms;
  }();
  return kForms;
}

void multiply(const ProductForm& form, const void* a, const void* b, float* d, cudaStream_t stream) {
  bench::check(cudaFuncSetAttribute(reinterpret_cast<const void*>(form.kernel),
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes),
               "asking for shared memory");
  form.kernel<<<1, kWarpgroup, kSharedBytes, stream>>>(a, b, d);
}

}  // namespace kernels::hopper
