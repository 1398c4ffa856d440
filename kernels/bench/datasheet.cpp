// SPDX-License-Identifier: Apache-2.0
#include "kernels/bench/datasheet.hpp"

#include <algorithm>

namespace kernels::bench {
namespace {

// More exact names first. All rates of a row are brought to the clock that the matrix units' rates hold at: datasheets
// state those of the CUDA cores at a higher one. The SXM parts of H100 and H200 share their arithmetic; B200 is the
// card of HGX systems.
constexpr Datasheet kDatasheets[] = {
    {"H200 NVL", 4800, 1544, 52.2, 52.2, 418, 835, 835, 1671},
    {"H200", 4800, 1830, 61.8, 61.8, 494, 989, 989, 1979},
    {"H100 PCIe", 2000, 1619, 47.2, 47.2, 378, 756, 756, 1513},
    {"H100 NVL", 3900, 1544, 52.2, 52.2, 418, 835, 835, 1671},
    {"H100", 3350, 1830, 61.8, 61.8, 494, 989, 989, 1979},
    {"A100-SXM4-80GB", 2039, 1410, 19.5, 19.5, 156, 312, 312, 0},
    {"A100 80GB PCIe", 1935, 1410, 19.5, 19.5, 156, 312, 312, 0},
    {"A100", 1555, 1410, 19.5, 19.5, 156, 312, 312, 0},
    {"B200", 8000, 1856, 70.3, 37, 1125, 2250, 2250, 4500},
};

}  // namespace

const char* to_string(Rate rate) {
  constexpr const char* kNames[] = {"fp32", "fp64", "tf32", "fp16", "bf16", "fp8"};
  return kNames[static_cast<int>(rate)];
}

double Datasheet::tflops(Rate rate) const {
  switch (rate) {
    case Rate::fp32: return fp32;
    case Rate::fp64: return fp64;
    case Rate::tf32: return tf32;
    case Rate::fp16: return fp16;
    case Rate::bf16: return bf16;
    case Rate::fp8: return fp8;
  }
  return 0;
}

std::optional<Datasheet> datasheet_of(std::string_view device_name) {
  for (const Datasheet& sheet : kDatasheets)
    if (device_name.find(sheet.match) != device_name.npos) return sheet;
  return std::nullopt;
}

double percent_of_peak(const Datasheet& sheet, Rate rate, double flops, double bytes, bool dram, double seconds) {
  if (seconds <= 0) return 0;
  const double arithmetic = sheet.tflops(rate) > 0 ? flops / seconds / (sheet.tflops(rate) * 1e12) : 0;
  const double memory = dram ? bytes / seconds / (sheet.copy_gb_s * 1e9) : 0;
  return 100 * std::max(arithmetic, memory);
}

}  // namespace kernels::bench
