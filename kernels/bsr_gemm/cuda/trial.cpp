// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/cuda/trial.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <bit>
#include <cmath>

#include "kernels/bsr_gemm/reference.hpp"

namespace kernels::bsr {
namespace {

constexpr double kHalfOfSmallestFp16 = 0x1p-25;

std::uint16_t poison(DataType type) { return type == DataType::fp16 ? 0x7dad : 0x7fad; }  // not-a-numbers

std::uint16_t narrowed(DataType type, float value) {
  return type == DataType::fp16 ? std::bit_cast<std::uint16_t>(__float2half_rn(value))
                                : std::bit_cast<std::uint16_t>(__float2bfloat16_rn(value));
}
float widened(DataType type, std::uint16_t bits) {
  if (bits == poison(type)) return std::bit_cast<float>(kPoisonBits);
  return type == DataType::fp16 ? __half2float(std::bit_cast<__half>(bits))
                                : __bfloat162float(std::bit_cast<__nv_bfloat16>(bits));
}

// The values become what the type can hold, so that the oracle works on the same.
std::vector<std::uint16_t> round_to(DataType type, std::vector<float>& values) {
  std::vector<std::uint16_t> bits;
  bits.reserve(values.size());
  for (float& value : values) {
    bits.push_back(narrowed(type, value));
    value = widened(type, bits.back());
  }
  return bits;
}

// Columns of A in equal pairs, rows of B in opposite ones; one pair of eight stays as it was.
void cancel(Operands& operands, int n) {
  BsrMatrix& a = operands.a;
  for (std::size_t i = 1; i < a.values.size(); i += 2)
    if (i / 2 % 8 != 0) a.values[i] = a.values[i - 1];
  for (int row = 1; row < a.columns; row += 2)
    for (int column = 0; row / 2 % 8 != 0 && column < n; ++column)
      operands.b[static_cast<std::size_t>(row) * n + column] =
          -operands.b[static_cast<std::size_t>(row - 1) * n + column];
}

Operands made(const Shape& shape, std::uint64_t seed, bool cancels) {
  Operands operands = generate(shape, seed);
  if (cancels) cancel(operands, shape.n);
  return operands;
}

Expected expected_of(DataType type, const Operands& operands, int n) {
  Reference reference = reference_product(operands.a, operands.b, n);
  Expected expected{std::move(reference.sum), std::move(reference.magnitude)};
  for (std::size_t i = 0; i < expected.value.size(); ++i) {
    const double below = type == DataType::fp16 ? kHalfOfSmallestFp16 : 0;
    expected.magnitude[i] = std::fabs(expected.value[i]) + (kSumBound * expected.magnitude[i] + below) / bound_of(type);
  }
  return expected;
}

}  // namespace

Trial::Trial(DataType type, const Shape& shape, std::uint64_t seed, bool cancels)
    : type_(type), n_(shape.n), seed_(seed), shape_(describe(shape)), on_card_(BsrMatrix{}) {
  Operands operands = made(shape, seed, cancels);
  values_ = DevicePattern::copied(round_to(type, operands.a.values));
  b_ = DevicePattern::copied(round_to(type, operands.b));
  expected_ = expected_of(type, operands, shape.n);
  pattern_ = std::move(operands.a);
  on_card_ = DevicePattern(pattern_);
}

Outcome Trial::judged(const std::function<Launch(const Problem&)>& prepare) const {
  const std::vector<std::uint16_t> poisoned(expected_.value.size() + 2 * kFence, poison(type_));
  const bench::DeviceMemory output = DevicePattern::copied(poisoned);
  const Launch launch = prepare({.type = type_,
                                 .pattern = &pattern_,
                                 .row_begin = on_card_.row_begin(),
                                 .block_column = on_card_.block_column(),
                                 .values = values_.data(),
                                 .b = b_.data(),
                                 .c = static_cast<std::uint16_t*>(output.data()) + kFence,
                                 .n = n_});
  launch(nullptr);
  bench::check(cudaGetLastError(), "the launch");
  bench::check(cudaDeviceSynchronize(), "waiting for the kernel");
  std::vector<std::uint16_t> bits(poisoned.size());
  bench::check(cudaMemcpy(bits.data(), output.data(), output.bytes(), cudaMemcpyDeviceToHost), "reading the output");
  std::vector<float> memory;
  memory.reserve(bits.size());
  for (const std::uint16_t value : bits) memory.push_back(widened(type_, value));
  Outcome outcome = judge(memory, expected_, bound_of(type_));
  outcome.shape = shape_;
  outcome.seed = seed_;
  return outcome;
}

}  // namespace kernels::bsr
