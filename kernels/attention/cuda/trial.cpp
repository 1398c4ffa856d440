// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/trial.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/attention/cuda/card_layouts.hpp"
#include "kernels/attention/reference.hpp"
#include "kernels/common/device_check.hpp"
#include "kernels/common/host_inputs.hpp"

namespace kernels::attention {
namespace {

constexpr int kLaunches = 2;  // the second finds the counters that the first has left

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

// On the GPU; `values` become what the type can hold.
bench::DeviceMemory round_to(DataType type, std::vector<float>& values) {
  std::vector<std::uint16_t> bits;
  for (float& value : values) {
    bits.push_back(narrowed(type, value));
    value = widened(type, bits.back());
  }
  if (bits.empty()) bits.push_back(0);
  return to_device(bits);
}

// Keys and values of sequences that nobody queries: a kernel that lets them into another sequence's rows shows it.
void spoil_unattended(const CheckProblem& what, const Strides& strides, std::vector<float>& operand) {
  const HostOffsets offsets(what.sequences);
  for (std::size_t i = 0; i < what.sequences.size(); ++i)
    for (int key = offsets.keys[i]; key < offsets.keys[i + 1] && what.sequences[i].queries == 0; ++key)
      for (int head = 0; head < what.shape.key_heads; ++head)
        std::fill_n(operand.begin() + key * strides.row + head * strides.head, what.shape.depth, NAN);
}

}  // namespace

Trial::Trial(DataType type, const CheckProblem& what, std::uint64_t seed) : seed_(seed), shape_(to_string(what)) {
  const Shape& shape = what.shape;
  Shape rows = shape;
  if (what.layout() == Layout::packed) rows.batch = 1;  // of all sequences
  const auto strides = what.rows_first ? rows_first : heads_first;
  std::vector<float> q = random_inputs(seed, rows.query_count()), k = random_inputs(seed + 1, rows.key_count());
  std::vector<float> v = random_inputs(seed + 2, rows.key_count());
  problem_ = {.type = type,
              .shape = shape,
              .scale = what.scale(),
              .q_strides = strides(shape.heads, shape.queries, shape.depth),
              .k_strides = strides(shape.key_heads, shape.keys, shape.depth),
              .v_strides = strides(shape.key_heads, shape.keys, shape.depth),
              .o_strides = strides(shape.heads, shape.queries, shape.depth)};
  spoil_unattended(what, problem_.k_strides, k);
  spoil_unattended(what, problem_.v_strides, v);
  q_ = round_to(type, q);
  k_ = round_to(type, k);
  v_ = round_to(type, v);
  problem_.q = q_.data();
  problem_.k = k_.data();
  problem_.v = v_.data();
  const HostOperands operands{q, k, v, problem_.q_strides, problem_.k_strides, problem_.v_strides, problem_.o_strides};
  if (what.layout() == Layout::packed) {
    const HostOffsets offsets(what.sequences);
    problem_.packed = on_card(offsets, first_, second_);
    expected_ = packed_reference(type, shape, problem_.scale, operands, offsets);
  } else if (what.layout() == Layout::sparse) {
    const HostPattern pattern = random_pattern(shape, *what.pattern, seed);
    problem_.sparse = on_card(pattern, first_, second_);
    expected_ = sparse_reference(type, shape, problem_.scale, operands, pattern);
  } else {
    expected_ = reference(type, shape, problem_.scale, operands);
  }
}

Outcome Trial::judged(const Configuration& configuration) const {
  const std::vector<std::uint16_t> poisoned(expected_.value.size() + 2 * kFence, poison(problem_.type));
  const bench::DeviceMemory output = to_device(poisoned);
  Problem problem = problem_;
  problem.o = static_cast<std::uint16_t*>(output.data()) + kFence;
  const Launch launch = configuration.prepare(problem);
  for (int i = 0; i < kLaunches; ++i) {
    bench::check(cudaMemcpy(output.data(), poisoned.data(), output.bytes(), cudaMemcpyHostToDevice), "poisoning");
    launch(nullptr);
  }
  bench::check(cudaGetLastError(), "the launch");
  bench::check(cudaDeviceSynchronize(), "waiting for the kernel");
  std::vector<std::uint16_t> bits(poisoned.size());
  bench::check(cudaMemcpy(bits.data(), output.data(), output.bytes(), cudaMemcpyDeviceToHost), "reading the output");
  std::vector<float> memory;
  memory.reserve(bits.size());
  for (const std::uint16_t value : bits) memory.push_back(widened(problem_.type, value));
  Outcome outcome = judge(memory, expected_, bound_of(problem_.type));
  outcome.shape = shape_;
  outcome.seed = seed_;
  return outcome;
}

}  // namespace kernels::attention
