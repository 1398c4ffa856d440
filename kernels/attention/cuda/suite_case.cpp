// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/suite_case.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "kernels/common/inject.hpp"

namespace kernels::attention {
namespace {

constexpr int kSampled = 16;  // elements whose error is stated

template <class T>
float rounded(float value) {
  return static_cast<float>(T(value));
}

// One element in double precision, from the streams that filled the operands.
template <class T>
double element(const Shape& shape, float scale, std::uint64_t seed, std::size_t index) {
  const std::size_t column = index % shape.depth, row = index / shape.depth;  // of all queries
  const std::size_t head = row / shape.queries, key_head = head / (shape.heads / shape.key_heads);
  const auto value = [](std::uint64_t stream, std::size_t at) {
    return static_cast<double>(rounded<T>(bench::random_value(stream, at)));
  };
  double total = 0, sum = 0;
  for (int key = 0; key < shape.seen(static_cast<int>(row % shape.queries)); ++key) {
    const std::size_t at = (key_head * shape.keys + key) * shape.depth;
    double logit = 0;
    for (int i = 0; i < shape.depth; ++i) logit += value(seed, row * shape.depth + i) * value(seed + 1, at + i);
    const double weight = std::exp(scale * logit);  // these are small
    total += weight;
    sum += weight * value(seed + 2, at + column);
  }
  return sum / total;
}

template <class T>
bench::Errors sampled(const Shape& shape, float scale, std::uint64_t seed, const T* out) {
  bench::Errors errors;
  double error_squared = 0, squared = 0;
  for (std::size_t i = 0; i < kSampled; ++i) {
    const std::size_t at = (i + 1) * shape.query_count() / kSampled - 1 - i * 37 % shape.depth;
    T got;
    bench::check(cudaMemcpy(&got, out + at, sizeof got, cudaMemcpyDeviceToHost), "reading a sampled element");
    const double expected = element<T>(shape, scale, seed, at), value = static_cast<float>(got);
    const double error = std::fabs((std::isfinite(value) ? value : 0.0) - expected);
    errors.max_abs = std::max(errors.max_abs, error);
    error_squared += error * error;
    squared += expected * expected;
  }
  errors.rel = std::sqrt(error_squared / std::max(squared, 1e-300));
  return errors;
}

template <class T>
bench::Work made(bench::Operands& set, Shape shape, const Choose& choose) {
  // More work is more queries; without any there is a single one.
  shape.queries = static_cast<int>(std::max<std::size_t>(with_extra_work(shape.queries), 1));
  const float scale = 1 / std::sqrt(static_cast<float>(shape.depth));
  const Strides queries = heads_first(shape.heads, shape.queries, shape.depth);
  const Strides keys = heads_first(shape.key_heads, shape.keys, shape.depth);
  const T* q = set.input<T>(shape.query_count());
  const T* k = set.input<T>(shape.key_count());
  const T* v = set.input<T>(shape.key_count());
  T* o = set.output<T>(shape.query_count());
  const Problem problem{.type = std::is_same_v<T, __half> ? DataType::fp16 : DataType::bf16,
                        .shape = shape,
                        .scale = scale,
                        .q = q,
                        .k = k,
                        .v = v,
                        .o = o,
                        .q_strides = queries,
                        .k_strides = keys,
                        .v_strides = keys,
                        .o_strides = queries};
  const Choice choice = choose(problem, set);
  return {.launch = choice.launch,
          .errors = [=, seed = set.seed_of(0)] { return sampled<T>(shape, scale, seed, o); },
          .configuration = choice.configuration};
}

}  // namespace

bench::Case suite_case(DataType type, const Shape& shape, const Choose& choose) {
  const bool half = type == DataType::fp16;
  return {.name = std::string("attention/") + to_string(type) + "/" + to_string(shape),
          .cache = bench::Cache::warm,
          .flops = flops_of(shape),
          .bytes = 4.0 * (static_cast<double>(shape.query_count()) + static_cast<double>(shape.key_count())),
          .rate = half ? bench::Rate::fp16 : bench::Rate::bf16,
          .make = [=](bench::Operands& set) {
            return half ? made<__half>(set, shape, choose) : made<__nv_bfloat16>(set, shape, choose);
          }};
}

}  // namespace kernels::attention
