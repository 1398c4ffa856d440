// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/cuda/norm_trial.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/common/device_check.hpp"
#include "kernels/common/random.hpp"
#include "kernels/scaled_gemm/codecs.hpp"
#include "kernels/scaled_gemm/cuda/quantise.hpp"

namespace kernels::scaled {
namespace {

// Half a step of e4m3 beside its value, and fp32 in a sum of squares and two products.
constexpr double kBound = 0x1p-4 * (1 + 1e-4), kHalfSubnormalStep = 0x1p-10, kArithmetic = 1e-5;
constexpr std::uint8_t kPoison8 = 0xff;
constexpr std::size_t kFenceBytes = kFence * 4;

float widened(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
std::uint16_t cut(float value) { return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16); }

struct Inputs {
  std::vector<std::uint16_t> x, gain;
};

Inputs inputs_of(int rows, int columns, Content content, std::uint64_t seed) {
  Random random(seed);
  Inputs made;
  for (int row = 0; row < rows; ++row) {
    const int exponent = content == Content::extreme ? static_cast<int>(random.bits() % 81) - 40 : 0;
    bool zero = false;
    for (int column = 0; column < columns; ++column) {
      if (column % kScaleBlock == 0) zero = content == Content::zeros && random.bits() % 2 == 0;
      made.x.push_back(cut(zero ? 0 : std::ldexp(random.symmetric(), exponent)));
    }
  }
  for (int column = 0; column < columns; ++column) made.gain.push_back(cut(1 + random.symmetric() / 2));
  return made;
}

// The values as they are when scaled back, then the scales, block by block of columns.
Expected expected_of(int rows, int columns, float epsilon, const Inputs& inputs) {
  const int blocks = (columns + kScaleBlock - 1) / kScaleBlock;
  const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  Expected expected;
  expected.value.resize(count + static_cast<std::size_t>(rows) * static_cast<std::size_t>(blocks));
  expected.magnitude.resize(expected.value.size());
  for (int row = 0; row < rows; ++row) {
    const std::uint16_t* x = inputs.x.data() + static_cast<std::ptrdiff_t>(row) * columns;
    double squares = 0;
    for (int i = 0; i < columns; ++i) squares += std::pow(widened(x[i]), 2.0);
    const double norm = 1 / std::sqrt(squares / columns + epsilon);
    for (int block = 0; block < blocks; ++block) {
      const int first = block * kScaleBlock, last = std::min(first + kScaleBlock, columns);
      double largest = 0;
      for (int i = first; i < last; ++i)
        largest =
            std::max(largest, std::fabs(widened(x[i]) * norm * widened(inputs.gain[static_cast<std::size_t>(i)])));
      const double scale = largest / kE4m3Max;
      for (int i = first; i < last; ++i) {
        const std::size_t at =
            static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(i);
        expected.value[at] = widened(x[i]) * norm * widened(inputs.gain[static_cast<std::size_t>(i)]);
        expected.magnitude[at] = std::fabs(expected.value[at]) + scale * kHalfSubnormalStep / kBound;
      }
      const std::size_t at =
          count + static_cast<std::size_t>(block) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row);
      expected.value[at] = scale;
      expected.magnitude[at] = scale * kArithmetic / kBound;
    }
  }
  return expected;
}

}  // namespace

Outcome judged_norm(int rows, int columns, Content content, std::uint64_t seed) {
  constexpr float kEpsilon = 1e-6F;
  const Inputs inputs = inputs_of(rows, columns, content, seed);
  const Expected expected = expected_of(rows, columns, kEpsilon, inputs);
  const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  std::vector<std::uint8_t> values(count + 2 * kFenceBytes, kPoison8);
  const auto pitch = static_cast<std::size_t>(Shape{.m = rows}.a_scale_pitch());
  const auto blocks = static_cast<std::size_t>((columns + kScaleBlock - 1) / kScaleBlock);
  std::vector<float> scales(blocks * pitch + 2 * kFence, std::bit_cast<float>(kPoisonBits));
  const bench::DeviceMemory x = to_device(inputs.x), gain = to_device(inputs.gain);
  const bench::DeviceMemory values_there = to_device(values), scales_there = to_device(scales);
  const Launch launch = prepare_norm({.rows = rows,
                                      .columns = columns,
                                      .epsilon = kEpsilon,
                                      .x = x.data(),
                                      .gain = gain.data(),
                                      .values = static_cast<std::uint8_t*>(values_there.data()) + kFenceBytes,
                                      .scales = static_cast<float*>(scales_there.data()) + kFence});
  launch(nullptr);
  bench::check(cudaDeviceSynchronize(), "waiting for the kernel");
  bench::check(cudaMemcpy(values.data(), values_there.data(), values.size(), cudaMemcpyDeviceToHost), "reading values");
  bench::check(cudaMemcpy(scales.data(), scales_there.data(), scales_there.bytes(), cudaMemcpyDeviceToHost),
               "reading scales");
  std::vector<float> memory(scales.begin(), scales.begin() + kFence);
  const auto is_poison = [](std::uint8_t byte) { return byte == kPoison8; };
  if (!std::all_of(values.begin(), values.begin() + kFenceBytes, is_poison) ||
      !std::all_of(values.end() - kFenceBytes, values.end(), is_poison))
    memory[0] = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i / static_cast<std::size_t>(columns),
                      block = i % static_cast<std::size_t>(columns) / kScaleBlock;
    const std::uint8_t byte = values[kFenceBytes + i];
    memory.push_back(byte == kPoison8 ? std::bit_cast<float>(kPoisonBits)
                                      : decode_e4m3(byte) * scales[kFence + block * pitch + row]);
  }
  for (std::size_t block = 0; block < blocks; ++block) {
    const auto first = scales.begin() + static_cast<std::ptrdiff_t>(kFence + block * pitch);
    memory.insert(memory.end(), first, first + rows);
  }
  memory.insert(memory.end(), scales.end() - kFence, scales.end());
  Outcome outcome = judge(memory, expected, kBound);
  outcome.name = "scaled_gemm/norm";
  outcome.shape = std::to_string(rows) + "x" + std::to_string(columns) + " " + to_string(content);
  outcome.seed = seed;
  return outcome;
}

}  // namespace kernels::scaled
