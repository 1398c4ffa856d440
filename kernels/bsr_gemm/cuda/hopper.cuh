// SPDX-License-Identifier: Apache-2.0
#pragma once

// The instructions of sm_90a that C++ has no name for: barriers of shared memory, the tensor copy engine, and wgmma.
// Device code only; addresses of shared memory are 32-bit.

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace kernels::bsr::hopper {

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void barrier_init(std::uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
__device__ __forceinline__ void fence_barrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ __forceinline__ void expect_bytes(std::uint32_t barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ __forceinline__ void wait(std::uint32_t barrier, std::uint32_t phase) {
  std::uint32_t done = 0;
  while (done == 0) {
    asm volatile(
        "{\n.reg .pred p;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(barrier), "r"(phase)
        : "memory");
  }
}
__device__ __forceinline__ void arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// Of the 128 threads that come with the same number, 1 to 15.
__device__ __forceinline__ void warpgroup_sync(int number) {
  asm volatile("bar.sync %0, 128;" ::"r"(number) : "memory");
}

// How long the L2 should keep what is moved.
enum class Keep : std::uint64_t {
  normal = 0x1000000000000000,
  briefly = 0x12F0000000000000,
  long_ = 0x14F0000000000000
};

__device__ __forceinline__ void prefetch(const CUtensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}
__device__ __forceinline__ void load(std::uint32_t to, const CUtensorMap& map, int x, int y, std::uint32_t barrier,
                                     Keep keep) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
      " [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
      "l"(&map), "r"(x), "r"(y), "r"(barrier), "l"(static_cast<std::uint64_t>(keep))
      : "memory");
}
// Boxes side by side, of a matrix seen as (panels) x rows x (columns of a panel).
__device__ __forceinline__ void load_panels(std::uint32_t to, const CUtensorMap& map, int row, int panel,
                                            std::uint32_t barrier, Keep keep) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
      " [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(to),
      "l"(&map), "r"(0), "r"(row), "r"(panel), "r"(barrier), "l"(static_cast<std::uint64_t>(keep))
      : "memory");
}
__device__ __forceinline__ void store(const CUtensorMap& map, std::uint32_t from, int x, int y, Keep keep) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group.L2::cache_hint [%0, {%2, %3}], [%1], %4;" ::"l"(&map),
      "r"(from), "r"(x), "r"(y), "l"(static_cast<std::uint64_t>(keep))
      : "memory");
}
__device__ __forceinline__ void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int kPending>
__device__ __forceinline__ void wait_stores_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kPending) : "memory");
}
// Before the copy engine reads what ordinary stores have written.
__device__ __forceinline__ void fence_for_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

template <int kRegisters>
__device__ __forceinline__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ __forceinline__ void give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

// Bytes of one row of a tile in shared memory, which is also the width of its swizzle.
enum class Swizzle { bytes64 = 64, bytes128 = 128 };

// A tile in shared memory for wgmma. `leading` is the distance between tiles side by side along M or N of an operand
// that is stored with M or N contiguous; for one stored with K contiguous it is not used. Rows lie in groups of eight.
template <Swizzle kSwizzle>
__device__ __forceinline__ std::uint64_t descriptor(std::uint32_t address, std::uint32_t leading) {
  constexpr std::uint64_t kType = kSwizzle == Swizzle::bytes128 ? 1 : 2;
  constexpr std::uint64_t kGroup = 8 * static_cast<int>(kSwizzle);
  return (kType << 62) | (kGroup >> 4 << 32) | (static_cast<std::uint64_t>(leading >> 4 & 0x3fff) << 16) |
         (address >> 4 & 0x3fff);
}

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

#define KG_SUMS4(d, i) "+f"(d[i]), "+f"(d[(i) + 1]), "+f"(d[(i) + 2]), "+f"(d[(i) + 3])
#define KG_SUMS16(d, i) KG_SUMS4(d, i), KG_SUMS4(d, (i) + 4), KG_SUMS4(d, (i) + 8), KG_SUMS4(d, (i) + 12)
#define KG_SUMS64(d, i) KG_SUMS16(d, i), KG_SUMS16(d, (i) + 16), KG_SUMS16(d, (i) + 32), KG_SUMS16(d, (i) + 48)

// sums (64 x 256) += left (64 x 16, K contiguous) x right (16 x 256, N contiguous).
#define KG_WGMMA_256(TYPE)                                                                                        \
  asm volatile(                                                                                                   \
      "{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"                                                                  \
      "wgmma.mma_async.sync.aligned.m64n256k16.f32." TYPE "." TYPE                                                \
      " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "    \
      "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, " \
      "%43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, " \
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, " \
      "%85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, " \
      "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "    \
      "%122, %123, %124, %125, %126, %127}, %128, %129, p, 1, 1, 0, 1;\n}"                                        \
      : KG_SUMS64(sums, 0), KG_SUMS64(sums, 64)                                                                   \
      : "l"(left), "l"(right))

__device__ __forceinline__ void wgmma(__half, float (&sums)[128], std::uint64_t left, std::uint64_t right) {
  KG_WGMMA_256("f16");
}
__device__ __forceinline__ void wgmma(__nv_bfloat16, float (&sums)[128], std::uint64_t left, std::uint64_t right) {
  KG_WGMMA_256("bf16");
}

// sums (64 x 32) += left (64 x 16, M contiguous) x right (16 x 32, K contiguous).
#define KG_WGMMA_32(TYPE)                                                              \
  asm volatile(                                                                        \
      "{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"                                       \
      "wgmma.mma_async.sync.aligned.m64n32k16.f32." TYPE "." TYPE                      \
      " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, " \
      "%17, p, 1, 1, 1, 0;\n}"                                                         \
      : KG_SUMS16(sums, 0)                                                             \
      : "l"(left), "l"(right))

__device__ __forceinline__ void wgmma(__half, float (&sums)[16], std::uint64_t left, std::uint64_t right) {
  KG_WGMMA_32("f16");
}
__device__ __forceinline__ void wgmma(__nv_bfloat16, float (&sums)[16], std::uint64_t left, std::uint64_t right) {
  KG_WGMMA_32("bf16");
}

#undef KG_WGMMA_32
#undef KG_WGMMA_256
#undef KG_SUMS64
#undef KG_SUMS16
#undef KG_SUMS4

__device__ __forceinline__ std::uint32_t pack(__half, float low, float high) {
  const __half2 both = __floats2half2_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&both);
}
__device__ __forceinline__ std::uint32_t pack(__nv_bfloat16, float low, float high) {
  const __nv_bfloat162 both = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&both);
}

// Four 8 x 8 matrices of 16-bit values from registers to the rows at the lanes' addresses.
__device__ __forceinline__ void store_matrices(std::uint32_t row, const std::uint32_t (&values)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(values[0]),
               "r"(values[1]), "r"(values[2]), "r"(values[3])
               : "memory");
}
__device__ __forceinline__ void store_transposed(std::uint32_t row, const std::uint32_t (&values)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(values[0]),
               "r"(values[1]), "r"(values[2]), "r"(values[3])
               : "memory");
}

}  // namespace kernels::bsr::hopper
