// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "kernels/scaled_gemm/cuda/narrow_kernel.cuh"

namespace kernels::scaled {
namespace {

template <int kRows>
struct Forms {
  static constexpr int kCount = 12;
  NarrowForm all[kCount] = {narrow_form<kRows, 64, 1>(),  narrow_form<kRows, 64, 2>(),  narrow_form<kRows, 64, 4>(),
                            narrow_form<kRows, 64, 8>(),  narrow_form<kRows, 112, 1>(), narrow_form<kRows, 112, 2>(),
                            narrow_form<kRows, 112, 4>(), narrow_form<kRows, 112, 8>(), narrow_form<kRows, 128, 1>(),
                            narrow_form<kRows, 128, 2>(), narrow_form<kRows, 128, 4>(), narrow_form<kRows, 128, 8>()};
};

}  // namespace

std::span<const NarrowForm> narrow_forms() {
  static const auto kForms = [] {
    std::array<NarrowForm, 2 * Forms<64>::kCount> all{};
    std::ranges::copy(Forms<64>().all, all.begin());
    std::ranges::copy(Forms<128>().all, all.begin() + Forms<64>::kCount);
    return all;
  }();
  return kForms;
}

}  // namespace kernels::scaled
