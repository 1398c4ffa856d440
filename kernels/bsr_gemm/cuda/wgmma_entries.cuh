// SPDX-License-Identifier: Apache-2.0
#pragma once

// The list of all forms of the wgmma kernel for one data type.

#include "kernels/bsr_gemm/cuda/wgmma_groups.cuh"

namespace kernels::bsr {

template <class T>
std::span<const WgmmaKernel> wgmma_entries() {
  static const WgmmaKernel kEntries[] = {
      wgmma_entry<T, 128, 64, 1>(), wgmma_entry<T, 128, 64, 2>(), wgmma_entry<T, 128, 32, 1>(),
      wgmma_entry<T, 128, 32, 2>(), wgmma_entry<T, 64, 64, 1>(),  wgmma_entry<T, 64, 64, 2>(),
      wgmma_entry<T, 64, 32, 1>(),  wgmma_entry<T, 64, 32, 2>(),  wgmma_entry<T, 32, 32, 1>(),
      wgmma_entry<T, 32, 32, 2>(),  wgmma_groups_entry<T, 1>(),   wgmma_groups_entry<T, 2>()};
  return kEntries;
}

}  // namespace kernels::bsr
