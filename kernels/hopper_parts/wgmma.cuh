// SPDX-License-Identifier: Apache-2.0
#pragma once

// wgmma with both operands K contiguous: sums (64 x N) += left (64 x 16) x right (N x 16) transposed, `left` from
// shared memory (a descriptor) or from registers. Device code of sm_90a only.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace kernels {

#define KG_D32                                                                                           \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define KG_D64                                                                                           \
  KG_D32                                                                                                 \
  ", "                                                                                                   \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, " \
  "%52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define KG_D128                                                                                          \
  KG_D64                                                                                                 \
  ", "                                                                                                   \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, " \
  "%84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, "   \
  "%103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, "     \
  "%119, %120, %121, %122, %123, %124, %125, %126, %127"
#define KG_S4(i) "+f"(sums[i]), "+f"(sums[(i) + 1]), "+f"(sums[(i) + 2]), "+f"(sums[(i) + 3])
#define KG_S16(i) KG_S4(i), KG_S4((i) + 4), KG_S4((i) + 8), KG_S4((i) + 12)
#define KG_S32(i) KG_S16(i), KG_S16((i) + 16)
#define KG_S64(i) KG_S32(i), KG_S32((i) + 32)
#define KG_S128(i) KG_S64(i), KG_S64((i) + 64)

#define KG_WGMMA(N, TYPE, D, LEFT, RIGHT, TRANSPOSES)                                                           \
  "{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\nwgmma.mma_async.sync.aligned.m64n" N "k16.f32." TYPE "." TYPE " {" D \
  "}, " LEFT ", " RIGHT ", p, 1, 1, " TRANSPOSES ";\n}"

#define KG_BOTH(T, N, TYPE, COUNT, D, SUMS, R0, R1, R2, R3, R4)                                                       \
  __device__ __forceinline__ void wgmma(T, float(&sums)[COUNT], std::uint64_t left, std::uint64_t right) {            \
    asm volatile(KG_WGMMA(N, TYPE, D, R0, R1, "0, 0") : SUMS : "l"(left), "l"(right));                                \
  }                                                                                                                   \
  __device__ __forceinline__ void wgmma(T, float(&sums)[COUNT], const std::uint32_t(&left)[4], std::uint64_t right) { \
    asm volatile(KG_WGMMA(N, TYPE, D, "{" R0 ", " R1 ", " R2 ", " R3 "}", R4, "0")                                    \
                 : SUMS                                                                                               \
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right));                               \
  }
#define KG_SIZES(T, TYPE)                                                           \
  KG_BOTH(T, "64", TYPE, 32, KG_D32, KG_S32(0), "%32", "%33", "%34", "%35", "%36")  \
  KG_BOTH(T, "128", TYPE, 64, KG_D64, KG_S64(0), "%64", "%65", "%66", "%67", "%68") \
  KG_BOTH(T, "256", TYPE, 128, KG_D128, KG_S128(0), "%128", "%129", "%130", "%131", "%132")

KG_SIZES(__half, "f16")
KG_SIZES(__nv_bfloat16, "bf16")

#undef KG_SIZES
#undef KG_BOTH
#undef KG_WGMMA
#undef KG_S128
#undef KG_S64
#undef KG_S32
#undef KG_S16
#undef KG_S4
#undef KG_D128
#undef KG_D64
#undef KG_D32

}  // namespace kernels
