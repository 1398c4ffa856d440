// SPDX-License-Identifier: Apache-2.0
#pragma once

// How tiles lie in shared memory for the tensor copy engine and wgmma: swizzles and matrix descriptors. Pure, for host
// and device code; addresses of shared memory are 32-bit byte addresses.

#include <cstdint>

#ifdef __CUDACC__
#define KG_HOST_DEVICE __host__ __device__
#else
#define KG_HOST_DEVICE
#endif

namespace kernels::hopper {

inline constexpr int kWarp = 32, kWarpgroup = 128, kWarpgroupWarps = 4;
inline constexpr int kPanelBytes = 128;                  // a row of the widest swizzle: 64 values of 16 bits
inline constexpr int kSwizzleRepeats = 8 * kPanelBytes;  // tiles begin at multiples of this

// Bytes of one row of a tile in shared memory, which is also the width of its swizzle.
enum class Swizzle { bytes64 = 64, bytes128 = 128 };

// Whether the 16-bit operand of a product is stored with the summed index contiguous, or with its rows (columns).
enum class Major { k = 0, rows = 1 };

// A tile in shared memory for wgmma. `leading` is the distance between tiles side by side along M or N of an operand
// that is stored with M or N contiguous; for one stored with K contiguous it is not used. Rows lie in groups of eight.
template <Swizzle kSwizzle>
[[nodiscard]] KG_HOST_DEVICE constexpr std::uint64_t descriptor(std::uint32_t address, std::uint32_t leading) {
  constexpr std::uint64_t kType = kSwizzle == Swizzle::bytes128 ? 1 : 2;
  constexpr std::uint64_t kGroup = 8 * static_cast<int>(kSwizzle);
  return (kType << 62) | (kGroup >> 4 << 32) | (static_cast<std::uint64_t>(leading >> 4 & 0x3fff) << 16) |
         (address >> 4 & 0x3fff);
}

// The descriptor of a tile that begins `bytes` further on. Cheaper than a new one: addresses of shared memory stay
// below 256 KiB, so nothing is carried beyond their field.
[[nodiscard]] KG_HOST_DEVICE constexpr std::uint64_t advanced(std::uint64_t descriptor, std::uint32_t bytes) {
  return descriptor + (bytes >> 4);
}

// Where the copy engine puts piece `piece` (16 bytes) of row `row` of a tile, from the tile's beginning.
template <Swizzle kSwizzle>
[[nodiscard]] KG_HOST_DEVICE constexpr std::uint32_t swizzled(int row, int piece) {
  constexpr int kRowBytes = static_cast<int>(kSwizzle);
  const int place = kSwizzle == Swizzle::bytes128 ? piece ^ row % 8 : piece ^ row / 2 % 4;
  return static_cast<std::uint32_t>(row * kRowBytes + place * 16);
}

// Place and phase in a ring of stages. A waiting consumer takes `phase`, a producer that waits for a free stage
// `phase ^ 1`: all stages are free at first.
template <int kStages>
struct Turn {
  static_assert(kStages >= 1, "a ring has at least one stage");
  int stage = 0;
  std::uint32_t phase = 0;
  KG_HOST_DEVICE constexpr void next() {
    if (++stage == kStages) stage = 0, phase ^= 1;
  }
};

}  // namespace kernels::hopper
