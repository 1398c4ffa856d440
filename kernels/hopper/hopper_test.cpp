// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "kernels/hopper/layout.hpp"

namespace kernels::hopper {
namespace {

TEST(Turn, PhaseFlipsAfterTheLastStage) {
  Turn<3> turn;
  for (const auto& [stage, phase] : {std::pair{0, 0u}, {1, 0u}, {2, 0u}, {0, 1u}, {1, 1u}, {2, 1u}, {0, 0u}}) {
    EXPECT_EQ(turn.stage, stage);
    EXPECT_EQ(turn.phase, phase);
    turn.next();
  }
}

TEST(Turn, ARingOfOneStageFlipsEachTime) {
  Turn<1> turn;
  turn.next();
  EXPECT_EQ(turn.stage, 0);
  EXPECT_EQ(turn.phase, 1u);
}

TEST(Descriptor, HoldsAddressLeadingStrideAndSwizzle) {
  const std::uint64_t wide = descriptor<Swizzle::bytes128>(0x12340, 0x4000);
  EXPECT_EQ(wide & 0x3fff, 0x1234u);
  EXPECT_EQ(wide >> 16 & 0x3fff, 0x400u);
  EXPECT_EQ(wide >> 32 & 0x3fff, 64u);  // eight rows of 128 bytes
  EXPECT_EQ(wide >> 62, 1u);
  const std::uint64_t narrow = descriptor<Swizzle::bytes64>(0x400, 16);
  EXPECT_EQ(narrow >> 32 & 0x3fff, 32u);
  EXPECT_EQ(narrow >> 62, 2u);
}

TEST(Descriptor, AdvancedEqualsANewOne) {
  for (const std::uint32_t base : {0u, 0x400u, 0x30000u})
    for (const std::uint32_t bytes : {32u, 96u, 0x2000u, 0x8000u})
      EXPECT_EQ(advanced(descriptor<Swizzle::bytes128>(base, 0x4000), bytes),
                descriptor<Swizzle::bytes128>(base + bytes, 0x4000));
}

TEST(Swizzle, PiecesOfEightRowsStayInTheirRowAndFillAllBanks) {
  std::set<std::uint32_t> places;
  for (int row = 0; row < 8; ++row)
    for (int piece = 0; piece < 8; ++piece) {
      const std::uint32_t at = swizzled<Swizzle::bytes128>(row, piece);
      EXPECT_EQ(at / 128, static_cast<std::uint32_t>(row));
      places.insert(at);
    }
  EXPECT_EQ(places.size(), 64u);
  for (int piece = 0; piece < 8; ++piece) {
    std::set<std::uint32_t> banks;  // one column of pieces, as stmatrix and ldmatrix move it
    for (int row = 0; row < 8; ++row) banks.insert(swizzled<Swizzle::bytes128>(row, piece) % 128);
    EXPECT_EQ(banks.size(), 8u);
  }
}

TEST(Swizzle, OfSixtyFourBytesRepeatsEveryEightRows) {
  EXPECT_EQ(swizzled<Swizzle::bytes64>(0, 1), 16u);
  EXPECT_EQ(swizzled<Swizzle::bytes64>(2, 1), 2 * 64u);
  EXPECT_EQ(swizzled<Swizzle::bytes64>(8, 3), 8 * 64u + 48u);
}

}  // namespace
}  // namespace kernels::hopper
