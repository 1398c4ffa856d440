// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/suite_case.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>

#include "kernels/attention/cuda/card_layouts.hpp"
#include "kernels/common/inject.hpp"

namespace kernels::attention {
namespace {

constexpr int kSampled = 16;  // elements whose error is stated
constexpr std::uint64_t kPatternSeed = 42;

template <class T>
float rounded(float value) {
  return static_cast<float>(T(value));
}

// A problem as it is laid out for a suite, on the host.
struct Laid {
  Shape shape;  // of packed sequences all together
  std::optional<HostOffsets> offsets;
  std::optional<HostPattern> pattern;

  Laid(const Shape& given, const Arrangement& arrangement) : shape(given) {
    if (!arrangement.sequences.empty()) shape = offsets.emplace(arrangement.sequences).packed(shape);
    if (arrangement.pattern) pattern = random_pattern(shape, *arrangement.pattern, kPatternSeed);
  }
  [[nodiscard]] int batch() const { return offsets ? 1 : shape.batch; }
  [[nodiscard]] std::size_t query_count() const { return shape.query_count() / shape.batch * batch(); }
  [[nodiscard]] std::size_t key_count() const { return shape.key_count() / shape.batch * batch(); }
  [[nodiscard]] Strides strides(int heads, int rows) const {
    return (offsets ? rows_first : heads_first)(heads, rows, shape.depth);
  }
  [[nodiscard]] Strides query_strides() const { return strides(shape.heads, shape.queries); }
  [[nodiscard]] Strides key_strides() const { return strides(shape.key_heads, shape.keys); }

  // Rows of keys that a row of queries sees.
  [[nodiscard]] std::vector<int> keys_of(int batch, int head, int query) const {
    std::vector<int> keys;
    if (offsets) {
      const auto next = std::upper_bound(offsets->queries.begin(), offsets->queries.end(), query);
      const int sequence = static_cast<int>(next - offsets->queries.begin()) - 1;
      const int seen = offsets->sequence(shape, sequence).seen(query - offsets->queries[sequence]);
      for (int key = 0; key < seen; ++key) keys.push_back(offsets->keys[sequence] + key);
    } else if (pattern) {
      const int columns = pattern->kind.columns;
      for (const int block : pattern->seen_by(shape, batch, head, query))
        for (int key = block * columns; key < std::min((block + 1) * columns, shape.seen(query)); ++key)
          keys.push_back(key);
    } else {
      for (int key = 0; key < shape.seen(query); ++key) keys.push_back(key);
    }
    return keys;
  }
};

std::int64_t at(const Strides& strides, int batch, int head, int row) {
  return batch * strides.batch + head * strides.head + row * strides.row;
}

// One element of the output, and where it is.
struct Sample {
  int batch, head, query, column;
  std::int64_t index;

  Sample(const Laid& laid, int number) {
    const auto rows = static_cast<std::int64_t>(laid.batch()) * laid.shape.heads * laid.shape.queries;
    const std::int64_t row = (number + 1) * rows / kSampled - 1;
    column = laid.shape.depth - 1 - number * 37 % laid.shape.depth;
    query = static_cast<int>(row % laid.shape.queries);
    head = static_cast<int>(row / laid.shape.queries % laid.shape.heads);
    batch = static_cast<int>(row / laid.shape.queries / laid.shape.heads);
    index = at(laid.query_strides(), batch, head, query) + column;
  }
};

// In double precision, from the streams that filled the operands.
template <class T>
double element(const Laid& laid, float scale, std::uint64_t seed, const Sample& sample) {
  const Shape& shape = laid.shape;
  const auto value = [](std::uint64_t stream, std::int64_t index) {
    return static_cast<double>(rounded<T>(bench::random_value(stream, static_cast<std::size_t>(index))));
  };
  const int key_head = sample.head / (shape.heads / shape.key_heads);
  double total = 0, sum = 0;
  for (const int key : laid.keys_of(sample.batch, sample.head, sample.query)) {
    const std::int64_t key_at = at(laid.key_strides(), sample.batch, key_head, key);
    double logit = 0;
    for (int i = 0; i < shape.depth; ++i)
      logit += value(seed, sample.index - sample.column + i) * value(seed + 1, key_at + i);
    const double weight = std::exp(scale * logit);  // these are small
    total += weight;
    sum += weight * value(seed + 2, key_at + sample.column);
  }
  return total == 0 ? 0 : sum / total;
}

template <class T>
bench::Errors sampled(const Laid& laid, float scale, std::uint64_t seed, const T* out) {
  bench::Errors errors;
  double error_squared = 0, squared = 0;
  for (int i = 0; i < kSampled; ++i) {
    const Sample sample(laid, i);
    T got;
    bench::check(cudaMemcpy(&got, out + sample.index, sizeof got, cudaMemcpyDeviceToHost), "reading a sampled element");
    const double expected = element<T>(laid, scale, seed, sample), value = static_cast<float>(got);
    const double error = std::fabs((std::isfinite(value) ? value : 0.0) - expected);
    errors.max_abs = std::max(errors.max_abs, error);
    error_squared += error * error;
    squared += expected * expected;
  }
  errors.rel = std::sqrt(error_squared / std::max(squared, 1e-300));
  return errors;
}

// What the offsets or the pattern are on the GPU.
struct OnCard {
  bench::DeviceMemory first, second;
};

// More work is more queries; without any there is a single one.
Laid with_work(Shape shape, Arrangement arrangement) {
  const auto queries = [](int count) { return static_cast<int>(std::max<std::size_t>(with_extra_work(count), 1)); };
  shape.queries = queries(shape.queries);
  for (SequenceLength& one : arrangement.sequences) one.queries = queries(one.queries);
  return {shape, arrangement};
}

template <class T>
bench::Work made(bench::Operands& set, const Laid& laid, const Choose& choose) {
  const Shape& shape = laid.shape;
  const float scale = 1 / std::sqrt(static_cast<float>(shape.depth));
  const T* q = set.input<T>(laid.query_count());
  const T* k = set.input<T>(laid.key_count());
  const T* v = set.input<T>(laid.key_count());
  T* o = set.output<T>(laid.query_count());
  auto held = std::make_shared<OnCard>();
  Problem problem{.type = std::is_same_v<T, __half> ? DataType::fp16 : DataType::bf16,
                  .shape = shape,
                  .scale = scale,
                  .q = q,
                  .k = k,
                  .v = v,
                  .o = o,
                  .q_strides = laid.query_strides(),
                  .k_strides = laid.key_strides(),
                  .v_strides = laid.key_strides(),
                  .o_strides = laid.query_strides()};
  if (laid.offsets) problem.packed = on_card(*laid.offsets, held->first, held->second);
  if (laid.pattern) problem.sparse = on_card(*laid.pattern, held->first, held->second);
  const Choice choice = choose(problem, set);
  return {.launch = [launch = choice.launch, held](cudaStream_t stream) { launch(stream); },
          .errors = [=, seed = set.seed_of(0)] { return sampled<T>(laid, scale, seed, o); },
          .configuration = choice.configuration};
}

std::string name_of(DataType type, const Laid& laid, const Arrangement& arrangement) {
  std::string name = std::string("attention/") + to_string(type) + "/" + to_string(laid.shape);
  return arrangement.name.empty() ? name : name.append("/").append(arrangement.name);
}

}  // namespace

bench::Case suite_case(DataType type, const Shape& shape, const Choose& choose, const Arrangement& arrangement) {
  const bool half = type == DataType::fp16;
  const Laid laid(shape, arrangement);
  return {.name = name_of(type, laid, arrangement),
          .cache = bench::Cache::warm,
          .flops = laid.offsets   ? flops_of(laid.shape, *laid.offsets)
                   : laid.pattern ? flops_of(laid.shape, *laid.pattern)
                                  : flops_of(laid.shape),
          .bytes = 4.0 * (static_cast<double>(laid.query_count()) + static_cast<double>(laid.key_count())),
          .rate = half ? bench::Rate::fp16 : bench::Rate::bf16,
          .make = [=](bench::Operands& set) {
            const Laid laid = with_work(shape, arrangement);
            return half ? made<__half>(set, laid, choose) : made<__nv_bfloat16>(set, laid, choose);
          }};
}

}  // namespace kernels::attention
