// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tensor copy engine: boxes of a tensor map into shared memory, which complete on a barrier, and back. One thread
// issues a copy. Device code of sm_90 only; addresses of shared memory are 32-bit.

#include <cuda.h>

#include <cstdint>

namespace kernels::hopper {

// How long the L2 should keep what is moved.
enum class Keep : std::uint64_t {
  normal = 0x1000000000000000,
  briefly = 0x12F0000000000000,
  long_ = 0x14F0000000000000
};

// Where a box of a tensor of five dimensions begins: `row` of matrix (`inner`, `outer`), whose columns are panels.
struct PanelsOf {
  int row, panel, inner, outer;
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
// Of one of many matrices.
__device__ __forceinline__ void load(std::uint32_t to, const CUtensorMap& map, int x, int y, int matrix,
                                     std::uint32_t barrier, Keep keep) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
      " [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(to),
      "l"(&map), "r"(x), "r"(y), "r"(matrix), "r"(barrier), "l"(static_cast<std::uint64_t>(keep))
      : "memory");
}
// To the same place of each block of the cluster whose bit of `blocks` is set; completes on the same barrier of each.
__device__ __forceinline__ void load_to_blocks(std::uint32_t to, const CUtensorMap& map, int x, int y, int matrix,
                                               std::uint32_t barrier, std::uint16_t blocks, Keep keep) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint"
      " [%0], [%1, {%2, %3, %4}], [%5], %6, %7;" ::"r"(to),
      "l"(&map), "r"(x), "r"(y), "r"(matrix), "r"(barrier), "h"(blocks), "l"(static_cast<std::uint64_t>(keep))
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
// The same of one matrix of many: (outer) x (inner) x panels x rows x (columns of a panel).
__device__ __forceinline__ void load_panels(std::uint32_t to, const CUtensorMap& map, const PanelsOf& from,
                                            std::uint32_t barrier, Keep keep) {
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
      " [%0], [%1, {%2, %3, %4, %5, %6}], [%7], %8;" ::"r"(to),
      "l"(&map), "r"(0), "r"(from.row), "r"(from.panel), "r"(from.inner), "r"(from.outer), "r"(barrier),
      "l"(static_cast<std::uint64_t>(keep))
      : "memory");
}
__device__ __forceinline__ void store(const CUtensorMap& map, std::uint32_t from, int x, int y, Keep keep) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group.L2::cache_hint [%0, {%2, %3}], [%1], %4;" ::"l"(&map),
      "r"(from), "r"(x), "r"(y), "l"(static_cast<std::uint64_t>(keep))
      : "memory");
}
__device__ __forceinline__ void store(const CUtensorMap& map, std::uint32_t from, int x, int y, int matrix, Keep keep) {
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group.L2::cache_hint [%0, {%2, %3, %4}], [%1], %5;" ::"l"(&map),
      "r"(from), "r"(x), "r"(y), "r"(matrix), "l"(static_cast<std::uint64_t>(keep))
      : "memory");
}
__device__ __forceinline__ void store_panels(const CUtensorMap& map, std::uint32_t from, const PanelsOf& to,
                                             Keep keep) {
  asm volatile(
      "cp.async.bulk.tensor.5d.global.shared::cta.bulk_group.L2::cache_hint"
      " [%0, {%2, %3, %4, %5, %6}], [%1], %7;" ::"l"(&map),
      "r"(from), "r"(0), "r"(to.row), "r"(to.panel), "r"(to.inner), "r"(to.outer), "l"(static_cast<std::uint64_t>(keep))
      : "memory");
}
__device__ __forceinline__ void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
// Until shared memory may be written again: the stores have read it.
template <int kPending>
__device__ __forceinline__ void wait_stores_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kPending) : "memory");
}
// Before the copy engine or wgmma reads what ordinary stores have written.
__device__ __forceinline__ void fence_for_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

}  // namespace kernels::hopper
