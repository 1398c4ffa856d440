// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/verify.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <vector>

#include "kernels/bsr_gemm/reference.hpp"

namespace kernels {
namespace {

constexpr std::uint32_t kPoison = 0x7fc0dead;  // a NaN that no arithmetic makes
constexpr std::size_t kFence = 64;             // poisoned elements before and behind C

bool is_poison(float value) { return std::bit_cast<std::uint32_t>(value) == kPoison; }

struct Tally {
  std::int64_t wrong = 0, not_finite = 0, unwritten = 0, outside = 0;
  double error_squared = 0, reference_squared = 0;
};

void compare(const std::vector<float>& memory, const Reference& reference, Outcome& outcome, Tally& tally) {
  for (std::size_t i = 0; i < reference.sum.size(); ++i) {
    const float out = memory[kFence + i];
    const bool finite = std::isfinite(out);
    const double error = std::fabs((finite ? out : 0.0) - reference.sum[i]);
    tally.error_squared += error * error;
    tally.reference_squared += reference.sum[i] * reference.sum[i];
    outcome.max_abs_err = std::fmax(outcome.max_abs_err, error);
    const bool bad = !finite || error > kErrorBound * reference.magnitude[i];
    if (!bad) continue;
    if (outcome.first_bad < 0) outcome.first_bad = static_cast<std::int64_t>(i);
    ++(is_poison(out) ? tally.unwritten : finite ? tally.wrong : tally.not_finite);
  }
  for (std::size_t i = 0; i < kFence; ++i)
    tally.outside += !is_poison(memory[i]) + !is_poison(memory[memory.size() - 1 - i]);
}

void classify(const Tally& tally, Outcome& outcome) {
  const double norm = std::sqrt(tally.reference_squared);
  outcome.rel_err = norm > 0 ? std::sqrt(tally.error_squared) / norm : std::sqrt(tally.error_squared);
  const auto set = [&](const char* error_class, double value) {
    outcome.error_class = error_class;
    outcome.error_value = value;
  };
  if (tally.outside > 0) return set("out_of_bounds", static_cast<double>(tally.outside));
  if (tally.unwritten > 0) return set("unwritten", static_cast<double>(tally.unwritten));
  if (tally.not_finite > 0) return set("not_finite", static_cast<double>(tally.not_finite));
  if (tally.wrong > 0 || outcome.rel_err > kErrorBound) return set("wrong_value", outcome.rel_err);
  outcome.passed = true;
}

}  // namespace

Outcome verify(const Variant& variant, const Shape& shape, std::uint64_t seed) {
  const Operands operands = generate(shape, seed);
  const Reference reference = reference_product(operands.a, operands.b, shape.n);
  std::vector<float> memory(reference.sum.size() + 2 * kFence, std::bit_cast<float>(kPoison));
  variant.multiply(operands.a, operands.b.data(), shape.n, memory.data() + kFence);

  Outcome outcome;
  outcome.name = std::string("bsr_gemm/") + variant.name + (*variant.name ? "/" : "") + shape.name;
  outcome.shape = describe(shape);
  outcome.seed = seed;
  Tally tally;
  compare(memory, reference, outcome, tally);
  classify(tally, outcome);
  return outcome;
}

std::string to_json(const Outcome& outcome) {
  char text[640];
  std::snprintf(text, sizeof text,
                R"({"name":"%s","shape":"%s","passed":%s,"bound":%.9g,"max_abs_err":%.9g,"rel_err":%.9g,)"
                R"("first_bad":%lld,"seed":"0x%llx","error_class":"%s","error_value":%.9g})",
                outcome.name.c_str(), outcome.shape.c_str(), outcome.passed ? "true" : "false", outcome.bound,
                outcome.max_abs_err, outcome.rel_err, static_cast<long long>(outcome.first_bad),
                static_cast<unsigned long long>(outcome.seed), outcome.error_class.c_str(), outcome.error_value);
  return text;
}

}  // namespace kernels
