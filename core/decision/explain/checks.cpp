// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace kernelgate {

namespace {

// Of every case that passed on both sides, by name and shape; of several seeds the worst counts.
std::vector<ErrorGrowth> growths_of(const SuiteEvidence& suite) {
  struct Both {
    double base = -1;
    double head = -1;
  };
  std::map<std::pair<std::string, std::string>, Both> cases;
  for (const CheckCase& check : suite.checks) {
    if (!check.passed) continue;
    Both& both = cases[{check.name, check.shape}];
    double& error = check.side == Side::base ? both.base : both.head;
    error = std::max(error, check.rel_err);
  }
  std::vector<ErrorGrowth> out;
  for (const auto& [key, both] : cases) {
    if (both.base < 0 || both.head < 0) continue;
    constexpr double kRounding = std::numeric_limits<double>::epsilon();
    const double factor = std::max(both.head, kRounding) / std::max(both.base, kRounding);
    out.push_back({.name = key.first, .base = both.base, .head = both.head, .factor = factor});
  }
  return out;
}

// Parts between slashes that two names begin with alike.
int shared_parts(std::string_view a, std::string_view b) {
  int out = 0;
  while (!a.empty() && !b.empty()) {
    const auto end_a = std::min(a.find('/'), a.size()), end_b = std::min(b.find('/'), b.size());
    if (a.substr(0, end_a) != b.substr(0, end_b)) break;
    ++out;
    a.remove_prefix(std::min(end_a + 1, a.size()));
    b.remove_prefix(std::min(end_b + 1, b.size()));
  }
  return out;
}

}  // namespace

std::vector<ErrorGrowth> error_growths(const SuiteEvidence& suite, const Policy& policy) {
  std::vector<ErrorGrowth> out = growths_of(suite);
  std::erase_if(out, [&policy](const ErrorGrowth& growth) { return !(growth.factor >= policy.error_growth); });
  std::sort(out.begin(), out.end(), [](const ErrorGrowth& a, const ErrorGrowth& b) { return a.factor > b.factor; });
  return out;
}

std::optional<ErrorGrowth> error_growth_of(const SuiteEvidence& suite, std::string_view benchmark) {
  std::optional<ErrorGrowth> out;
  int nearest = 0;
  for (const ErrorGrowth& growth : growths_of(suite)) {
    const int shared = shared_parts(growth.name, benchmark);
    if (shared < nearest) continue;
    if (!out || shared > nearest || growth.factor > out->factor) out = growth;
    nearest = shared;
  }
  return out;
}

void add_error_factors(const SuiteEvidence& suite, const Policy& policy, std::vector<Comparison>& comparisons) {
  for (Comparison& comparison : comparisons) {
    if (comparison.pairs == 0) continue;
    const auto growth = error_growth_of(suite, comparison.benchmark);
    if (!growth) continue;
    comparison.error_factor = growth->factor;
    if (growth->factor >= policy.error_growth)
      comparison.reason += fmt::format("; the numerical error grew x{:.3g}, from {:.3g} to {:.3g}", growth->factor,
                                       growth->base, growth->head);
  }
}

std::vector<CaseFailure> check_failures(const SuiteEvidence& suite) {
  std::vector<CaseFailure> out;
  for (const CaseFailure& failure : suite.failures)
    if (failure.side == Side::head) out.push_back(failure);
  if (!out.empty()) return out;
  for (const CheckCase& check : suite.checks) {
    if (check.passed || check.side != Side::head) continue;
    const Verdict verdict = check.error_class == "crashed"     ? Verdict::crashed
                            : check.error_class == "timed_out" ? Verdict::timed_out
                                                               : Verdict::broken;
    out.push_back({.benchmark = check.name, .verdict = verdict, .text = check.text, .fingerprint = check.fingerprint});
  }
  if (out.empty())
    out.push_back(
        {.benchmark = suite.name, .verdict = Verdict::broken, .text = "the check program failed", .fingerprint = {}});
  return out;
}

}  // namespace kernelgate
