// SPDX-License-Identifier: Apache-2.0
// How the CUDA kernels are launched, which is decided on the host and needs no GPU to be tested.
#include <gtest/gtest.h>

#include "kernels/gemm/gemm_config.hpp"
#include "kernels/memory/stream_config.hpp"
#include "kernels/softmax/softmax_config.hpp"

namespace kernels {
namespace {

constexpr int kMultiprocessors = 132;  // of an H200

TEST(StreamConfig, TakesOneVectorAThreadUntilTheCardIsFull) {
  EXPECT_EQ(stream_config(1, kMultiprocessors).blocks, 1);
  EXPECT_EQ(stream_config(256 * kStreamVector, kMultiprocessors).blocks, 1);
  EXPECT_EQ(stream_config(256 * kStreamVector + 1, kMultiprocessors).blocks, 2);
  EXPECT_EQ(stream_config(std::size_t{1} << 30, kMultiprocessors).blocks,
            kMultiprocessors * kStreamBlocksPerMultiprocessor);
  EXPECT_EQ(stream_config(0, 0).blocks, 1);
}

TEST(GemmConfig, TakesTheLargeTileOnceItFillsTheCard) {
  const GemmConfig large = gemm_config(4096, 4096, kMultiprocessors);
  EXPECT_EQ(large.tile, 128);
  EXPECT_EQ(large.blocks_m * large.blocks_n, 32 * 32);
  const GemmConfig small = gemm_config(512, 512, kMultiprocessors);
  EXPECT_EQ(small.tile, 64);
  EXPECT_EQ(small.blocks_m, 8);
}

TEST(GemmConfig, TilesCoverEveryElement) {
  for (const int size : {1, 63, 64, 65, 127, 129, 1000}) {
    const GemmConfig config = gemm_config(size, 2 * size, kMultiprocessors);
    EXPECT_GE(config.blocks_m * config.tile, size);
    EXPECT_LT((config.blocks_m - 1) * config.tile, size);
    EXPECT_GE(config.blocks_n * config.tile, 2 * size);
  }
}

TEST(SoftmaxConfig, KeepsARowInTheSharedMemoryOfABlock) {
  for (const int columns : {1, 512, 4096, kSoftmaxColumnsMax}) {
    const SoftmaxConfig config = softmax_config(100000, columns, kMultiprocessors);
    EXPECT_EQ(config.shared_bytes, static_cast<std::size_t>(columns) * sizeof(float));
    EXPECT_LE(config.shared_bytes, 48U * 1024);
    EXPECT_LE(config.threads, 512);
    EXPECT_EQ(config.blocks % kMultiprocessors, 0) << columns;
  }
  EXPECT_EQ(softmax_config(3, 512, kMultiprocessors).blocks, 3);
}

}  // namespace
}  // namespace kernels
