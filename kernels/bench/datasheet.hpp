// SPDX-License-Identifier: Apache-2.0
#pragma once

// What vendors' datasheets promise of known cards (dense rates), and the peak clock the rates hold at. Pure data.

#include <optional>
#include <string_view>

namespace kernels::bench {

// Which of the GPU's arithmetic rates a kernel's `flops` are compared with. fp32 is that of the CUDA cores; fp64 the
// faster of theirs and the matrix units'; the others are the matrix units'.
enum class Rate { fp32, fp64, tf32, fp16, bf16, fp8 };
inline constexpr Rate kRates[] = {Rate::fp32, Rate::fp64, Rate::tf32, Rate::fp16, Rate::bf16, Rate::fp8};
[[nodiscard]] const char* to_string(Rate rate);

struct Datasheet {
  const char* match;                         // part of the name that the driver gives the GPU
  double copy_gb_s;                          // device memory, bytes read plus bytes written
  double clock_mhz;                          // at which the rates below hold
  double fp32, fp64, tf32, fp16, bf16, fp8;  // TFLOP/s; 0: the GPU has no such unit

  [[nodiscard]] double tflops(Rate rate) const;
};

// By the name that CUDA gives; nothing for a GPU that is not in the table.
[[nodiscard]] std::optional<Datasheet> datasheet_of(std::string_view device_name);

// Percent of the roof: the larger of the share of the memory's and of the unit's peak. `dram` is false where the
// operands may come from the cache, so that only the arithmetic counts.
[[nodiscard]] double percent_of_peak(const Datasheet& sheet, Rate rate, double flops, double bytes, bool dram,
                                     double seconds);

}  // namespace kernels::bench
