// SPDX-License-Identifier: Apache-2.0
#pragma once

// wgmma: sums (64 x N, fp32) = or += left (64 x K) times right (K x N), for N of the list below. K is 16 for fp16 and
// bf16, 32 for e4m3. `right` is a descriptor of shared memory, `left` one too or four registers. Which index of an
// operand is contiguous is a parameter; e4m3 has K contiguous. Device code of sm_90a only.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>

#include "kernels/hopper/layout.hpp"

namespace kernels::hopper {

__device__ __forceinline__ void wgmma_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int kPending>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}
// Keeps the compiler from moving the sums across what it does not see.
template <int kCount>
__device__ __forceinline__ void hold(float (&sums)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}
template <int kCount>
__device__ __forceinline__ void hold(std::uint32_t (&words)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+r"(words[i])::"memory");
}

enum class Sums { clear = 0, keep = 1 };  // whether a product is added to what the sums hold

// How many of the operands of an asm statement the sums take, as text: "%0, %1, ...".
#define KG_TEN(t) "%" #t "0, %" #t "1, %" #t "2, %" #t "3, %" #t "4, %" #t "5, %" #t "6, %" #t "7, %" #t "8, %" #t "9"
#define KG_TEXT16 KG_TEN() ", %10, %11, %12, %13, %14, %15"
#define KG_TEXT32 KG_TEN() ", " KG_TEN(1) ", " KG_TEN(2) ", %30, %31"
#define KG_TEXT40 KG_TEN() ", " KG_TEN(1) ", " KG_TEN(2) ", " KG_TEN(3)
#define KG_TEXT48 KG_TEXT40 ", %40, %41, %42, %43, %44, %45, %46, %47"
#define KG_TEXT64 KG_TEXT40 ", " KG_TEN(4) ", " KG_TEN(5) ", %60, %61, %62, %63"
#define KG_TEXT56 KG_TEXT40 ", " KG_TEN(4) ", %50, %51, %52, %53, %54, %55"
#define KG_TEXT72 KG_TEXT40 ", " KG_TEN(4) ", " KG_TEN(5) ", " KG_TEN(6) ", %70, %71"
#define KG_TEXT80 KG_TEXT40 ", " KG_TEN(4) ", " KG_TEN(5) ", " KG_TEN(6) ", " KG_TEN(7)
#define KG_TEXT88 KG_TEXT80 ", %80, %81, %82, %83, %84, %85, %86, %87"
#define KG_TEXT96 KG_TEXT80 ", " KG_TEN(8) ", %90, %91, %92, %93, %94, %95"
#define KG_TEXT128 \
  KG_TEXT80 ", " KG_TEN(8) ", " KG_TEN(9) ", " KG_TEN(10) ", " KG_TEN(11) ", %120, %121, %122, %123, %124, %125, " \
            "%126, %127"

#define KG_S8(i)                                                                                     \
  "+f"(sums[i]), "+f"(sums[(i) + 1]), "+f"(sums[(i) + 2]), "+f"(sums[(i) + 3]), "+f"(sums[(i) + 4]), \
      "+f"(sums[(i) + 5]), "+f"(sums[(i) + 6]), "+f"(sums[(i) + 7])
#define KG_SUMS16 KG_S8(0), KG_S8(8)
#define KG_SUMS32 KG_SUMS16, KG_S8(16), KG_S8(24)
#define KG_SUMS40 KG_SUMS32, KG_S8(32)
#define KG_SUMS48 KG_SUMS40, KG_S8(40)
#define KG_SUMS56 KG_SUMS48, KG_S8(48)
#define KG_SUMS64 KG_SUMS56, KG_S8(56)
#define KG_SUMS72 KG_SUMS64, KG_S8(64)
#define KG_SUMS80 KG_SUMS72, KG_S8(72)
#define KG_SUMS88 KG_SUMS80, KG_S8(80)
#define KG_SUMS96 KG_SUMS88, KG_S8(88)
#define KG_SUMS128 KG_SUMS96, KG_S8(96), KG_S8(104), KG_S8(112), KG_S8(120)

#define KG_WGMMA(N, K, TYPE, COUNT, LEFT, RIGHT, SCALE)                                                              \
  "{\n.reg .pred p;\nsetp.ne.b32 p, " SCALE ", 0;\nwgmma.mma_async.sync.aligned.m64n" #N "k" K ".f32." TYPE "." TYPE \
  " {" KG_TEXT##COUNT "}, " LEFT ", " RIGHT ", p, 1, 1"

// The names of the operands after the sums: R0 to R5 are COUNT, COUNT + 1, ...
#define KG_HALVES(T, TYPE, N, COUNT, R0, R1, R2, R3, R4, R5, R6)                                                      \
  template <Sums kSums = Sums::keep, Major kLeft = Major::k, Major kRight = Major::k>                                 \
  __device__ __forceinline__ void wgmma(T, float(&sums)[COUNT], std::uint64_t left, std::uint64_t right) {            \
    asm volatile(KG_WGMMA(N, "16", TYPE, COUNT, R0, R1, R2) ", " R3 ", " R4 ";\n}"                                    \
                 : KG_SUMS##COUNT                                                                                     \
                 : "l"(left), "l"(right), "n"(static_cast<int>(kSums)), "n"(static_cast<int>(kLeft)),                 \
                   "n"(static_cast<int>(kRight)));                                                                    \
  }                                                                                                                   \
  template <Sums kSums = Sums::keep, Major kRight = Major::k>                                                         \
  __device__ __forceinline__ void wgmma(T, float(&sums)[COUNT], const std::uint32_t(&left)[4], std::uint64_t right) { \
    asm volatile(KG_WGMMA(N, "16", TYPE, COUNT, "{" R0 ", " R1 ", " R2 ", " R3 "}", R4, R5) ", " R6 ";\n}"            \
                 : KG_SUMS##COUNT                                                                                     \
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right), "n"(static_cast<int>(kSums)),  \
                   "n"(static_cast<int>(kRight)));                                                                    \
  }
#define KG_BYTES(N, COUNT, R0, R1, R2, R3, R4, R5)                                                                     \
  template <Sums kSums = Sums::keep>                                                                                   \
  __device__ __forceinline__ void wgmma(__nv_fp8_e4m3, float(&sums)[COUNT], std::uint64_t left, std::uint64_t right) { \
    asm volatile(KG_WGMMA(N, "32", "e4m3", COUNT, R0, R1, R2) ";\n}"                                                   \
                 : KG_SUMS##COUNT                                                                                      \
                 : "l"(left), "l"(right), "n"(static_cast<int>(kSums)));                                               \
  }                                                                                                                    \
  template <Sums kSums = Sums::keep>                                                                                   \
  __device__ __forceinline__ void wgmma(__nv_fp8_e4m3, float(&sums)[COUNT], const std::uint32_t(&left)[4],             \
                                        std::uint64_t right) {                                                         \
    asm volatile(KG_WGMMA(N, "32", "e4m3", COUNT, "{" R0 ", " R1 ", " R2 ", " R3 "}", R4, R5) ";\n}"                   \
                 : KG_SUMS##COUNT                                                                                      \
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right), "n"(static_cast<int>(kSums)));  \
  }
#define KG_TYPES(N, COUNT, R0, R1, R2, R3, R4, R5, R6)                   \
  KG_HALVES(__half, "f16", N, COUNT, R0, R1, R2, R3, R4, R5, R6)         \
  KG_HALVES(__nv_bfloat16, "bf16", N, COUNT, R0, R1, R2, R3, R4, R5, R6) \
  KG_BYTES(N, COUNT, R0, R1, R2, R3, R4, R5)

KG_TYPES(32, 16, "%16", "%17", "%18", "%19", "%20", "%21", "%22")
KG_TYPES(64, 32, "%32", "%33", "%34", "%35", "%36", "%37", "%38")
KG_TYPES(80, 40, "%40", "%41", "%42", "%43", "%44", "%45", "%46")
KG_TYPES(96, 48, "%48", "%49", "%50", "%51", "%52", "%53", "%54")
KG_TYPES(112, 56, "%56", "%57", "%58", "%59", "%60", "%61", "%62")
KG_TYPES(128, 64, "%64", "%65", "%66", "%67", "%68", "%69", "%70")
KG_TYPES(144, 72, "%72", "%73", "%74", "%75", "%76", "%77", "%78")
KG_TYPES(160, 80, "%80", "%81", "%82", "%83", "%84", "%85", "%86")
KG_TYPES(176, 88, "%88", "%89", "%90", "%91", "%92", "%93", "%94")
KG_TYPES(192, 96, "%96", "%97", "%98", "%99", "%100", "%101", "%102")
KG_TYPES(256, 128, "%128", "%129", "%130", "%131", "%132", "%133", "%134")

#undef KG_TYPES
#undef KG_BYTES
#undef KG_HALVES
#undef KG_WGMMA
#undef KG_S8
#undef KG_SUMS16
#undef KG_SUMS32
#undef KG_SUMS40
#undef KG_SUMS48
#undef KG_SUMS56
#undef KG_SUMS64
#undef KG_SUMS72
#undef KG_SUMS80
#undef KG_SUMS88
#undef KG_SUMS96
#undef KG_SUMS128
#undef KG_TEN
#undef KG_TEXT16
#undef KG_TEXT32
#undef KG_TEXT40
#undef KG_TEXT48
#undef KG_TEXT56
#undef KG_TEXT64
#undef KG_TEXT72
#undef KG_TEXT80
#undef KG_TEXT88
#undef KG_TEXT96
#undef KG_TEXT128

}  // namespace kernels::hopper
