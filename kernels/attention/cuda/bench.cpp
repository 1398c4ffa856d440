// SPDX-License-Identifier: Apache-2.0
// attention_bench: forward attention. Names read attention/TYPE/BATCHxHEADSxSIZExDEPTH[/causal]/warm, with
// HEADS:KEY_HEADS where heads are grouped. The label names the configuration, and KG_CONFIGURATIONS pins it.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "kernels/attention/cuda/variants.hpp"
#include "kernels/bench/suite.hpp"
#include "kernels/common/inject.hpp"

namespace {

using namespace kernels;
using namespace kernels::attention;

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

Launch prepared(const Problem& problem, const std::string& name) {
  for (const Configuration& one : configurations())
    if (one.name == name) {
      if (const char* reason = one.refusal(problem)) throw std::runtime_error(name + ": " + reason);
      return one.prepare(problem);
    }
  throw std::runtime_error(name + " is no configuration of attention");
}

template <class T>
bench::Work made(bench::Operands& set, Shape shape) {
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
  const std::string name =
      set.pinned().empty() ? default_configuration(problem, set.device().multiprocessors) : set.pinned();
  return {.launch = prepared(problem, name),
          .errors = [=, seed = set.seed_of(0)] { return sampled<T>(shape, scale, seed, o); },
          .configuration = name};
}

template <class T>
bench::Case case_of(const Shape& shape) {
  constexpr bool kHalf = std::is_same_v<T, __half>;
  return {.name = std::string("attention/") + (kHalf ? "fp16/" : "bf16/") + to_string(shape),
          .cache = bench::Cache::warm,
          .flops = flops_of(shape),
          .bytes = 4.0 * (static_cast<double>(shape.query_count()) + static_cast<double>(shape.key_count())),
          .rate = kHalf ? bench::Rate::fp16 : bench::Rate::bf16,
          .make = [shape](bench::Operands& set) { return made<T>(set, shape); }};
}

Shape square(int batch, int heads, int key_heads, int size, int depth, bool causal) {
  return {.batch = batch,
          .heads = heads,
          .key_heads = key_heads,
          .queries = size,
          .keys = size,
          .depth = depth,
          .causal = causal};
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<bench::Case> cases;
  for (const bool causal : {false, true}) {
    for (const int depth : {64, 128, 256}) cases.push_back(case_of<__half>(square(4, 16, 16, 4096, depth, causal)));
    cases.push_back(case_of<__half>(square(32, 16, 16, 512, 64, causal)));
    cases.push_back(case_of<__half>(square(2, 16, 16, 16384, 128, causal)));
    cases.push_back(case_of<__half>(square(4, 64, 8, 4096, 128, causal)));
    cases.push_back(case_of<__half>(square(1, 16, 16, 1000, 128, causal)));
    cases.push_back(case_of<__nv_bfloat16>(square(4, 16, 16, 4096, 128, causal)));
    cases.push_back(case_of<__nv_bfloat16>(square(32, 16, 16, 512, 64, causal)));
  }
  return bench::run_suite(count, arguments, std::move(cases));
}
