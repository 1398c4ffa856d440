// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/outcome.hpp"

#include <bit>
#include <cmath>
#include <cstdio>

namespace kernels {
namespace {

bool is_poison(float value) { return std::bit_cast<std::uint32_t>(value) == kPoisonBits; }

struct Tally {
  std::int64_t wrong = 0, not_finite = 0, unwritten = 0, outside = 0;
  double error_squared = 0, reference_squared = 0;
};

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
  if (tally.wrong > 0) return set("wrong_value", outcome.rel_err);
  outcome.passed = true;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

}  // namespace

Outcome judge(std::span<const float> memory, const Expected& expected, double bound) {
  Outcome outcome;
  outcome.bound = bound;
  Tally tally;
  for (std::size_t i = 0; i < expected.value.size(); ++i) {
    const float out = memory[kFence + i];
    const bool finite = std::isfinite(out);
    const double error = std::fabs((finite ? out : 0.0) - expected.value[i]);
    tally.error_squared += error * error;
    tally.reference_squared += expected.value[i] * expected.value[i];
    outcome.max_abs_err = std::fmax(outcome.max_abs_err, error);
    if (finite && error <= bound * expected.magnitude[i]) continue;
    if (outcome.first_bad < 0) outcome.first_bad = static_cast<std::int64_t>(i);
    ++(is_poison(out) ? tally.unwritten : finite ? tally.wrong : tally.not_finite);
  }
  for (std::size_t i = 0; i < kFence; ++i)
    tally.outside += !is_poison(memory[i]) + !is_poison(memory[memory.size() - 1 - i]);
  classify(tally, outcome);
  return outcome;
}

std::string to_json(const Outcome& outcome) {
  char seed[24];
  std::snprintf(seed, sizeof seed, "0x%llx", static_cast<unsigned long long>(outcome.seed));
  return R"({"name":")" + escaped(outcome.name) + R"(","shape":")" + escaped(outcome.shape) + R"(","passed":)" +
         (outcome.passed ? "true" : "false") + R"(,"bound":)" + number(outcome.bound) + R"(,"max_abs_err":)" +
         number(outcome.max_abs_err) + R"(,"rel_err":)" + number(outcome.rel_err) + R"(,"first_bad":)" +
         std::to_string(outcome.first_bad) + R"(,"seed":")" + seed + R"(","error_class":")" +
         escaped(outcome.error_class) + R"(","error_value":)" + number(outcome.error_value) + R"(,"text":")" +
         escaped(outcome.text) + R"("})";
}

}  // namespace kernels
