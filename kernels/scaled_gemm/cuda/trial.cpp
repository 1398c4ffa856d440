// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/cuda/trial.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/common/device_check.hpp"
#include "kernels/scaled_gemm/cuda/configurations.hpp"

namespace kernels::scaled {
namespace {

constexpr int kLaunches = 2;
constexpr std::uint16_t kPoison16 = 0x7fad;  // a not-a-number that no kernel makes

float widened(std::uint16_t bits) {
  return bits == kPoison16 ? std::bit_cast<float>(kPoisonBits)
                           : std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

// What must be NaN and is one counts as zero, rows that need not be written as right.
void excuse(std::vector<float>& memory, Expected& expected) {
  for (std::size_t i = 0; i < expected.value.size(); ++i) {
    float& out = memory[kFence + i];
    if (expected.magnitude[i] < 0) {
      out = 0;
      expected.value[i] = expected.magnitude[i] = 0;
    } else if (std::isnan(expected.value[i])) {
      const bool right = std::isnan(out) && std::bit_cast<std::uint32_t>(out) != kPoisonBits;
      expected.value[i] = expected.magnitude[i] = 0;
      if (right)
        out = 0;
      else if (!std::isnan(out))
        out = 1;  // a number where there must be none
    }
  }
}

}  // namespace

Trial::Trial(const CheckProblem& what, std::uint64_t seed) : seed_(seed), text_(to_string(what)) {
  HostOperands operands = operands_of(what, seed);
  expected_ = reference(what.shape, operands);
  if (operands.groups.empty()) operands.groups.push_back(0);
  a_ = to_device(operands.a);
  b_ = to_device(operands.b);
  a_scales_ = to_device(operands.a_scales);
  b_scales_ = to_device(operands.b_scales);
  groups_ = to_device(operands.groups);
  problem_ = {.shape = what.shape,
              .a = a_.data(),
              .b = b_.data(),
              .a_scales = static_cast<const float*>(a_scales_.data()),
              .b_scales = static_cast<const float*>(b_scales_.data()),
              .group_of_rows = static_cast<const int*>(groups_.data()),
              .rows_of_group = static_cast<const int*>(groups_.data())};
}

void Trial::note_product_error(const std::vector<float>& memory) const {
  for (std::size_t i = 0; i < expected_.value.size(); ++i) {
    const double value = expected_.value[i], out = memory[kFence + i];
    if (!(expected_.magnitude[i] > 0) || !std::isfinite(out)) continue;
    const double products = (expected_.magnitude[i] - std::fabs(value)) * kRounding / kProductError;
    const double beyond = std::fabs(out - value) - std::fabs(value) * kRounding / (1 - kRounding);
    product_error_ = std::max(product_error_, beyond / products);
  }
}

Outcome Trial::judged(std::string_view configuration) const {
  Problem problem = problem_;
  std::vector<std::uint16_t> bits(problem.shape.c_count() + 2 * kFence, kPoison16);
  const bench::DeviceMemory output = to_device(bits);
  problem.c = static_cast<std::uint16_t*>(output.data()) + kFence;
  const Launch launch = prepare(problem, configuration);
  for (int i = 0; i < kLaunches; ++i) {
    bench::check(cudaMemcpy(output.data(), bits.data(), output.bytes(), cudaMemcpyHostToDevice), "poisoning");
    launch(nullptr);
  }
  bench::check(cudaGetLastError(), "the launch");
  bench::check(cudaDeviceSynchronize(), "waiting for the kernel");
  bench::check(cudaMemcpy(bits.data(), output.data(), output.bytes(), cudaMemcpyDeviceToHost), "reading the output");
  std::vector<float> memory;
  memory.reserve(bits.size());
  for (const std::uint16_t value : bits) memory.push_back(widened(value));
  note_product_error(memory);
  Expected expected = expected_;
  excuse(memory, expected);
  Outcome outcome = judge(memory, expected, kRounding);
  outcome.shape = text_;
  outcome.seed = seed_;
  return outcome;
}

}  // namespace kernels::scaled
