// SPDX-License-Identifier: Apache-2.0
#include "core/decision/checks.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace kernelgate {

std::vector<ErrorGrowth> error_growths(const SuiteEvidence& suite, const Policy& policy) {
  struct Both {
    double base = -1;
    double head = -1;
  };
  std::map<std::pair<std::string, std::string>, Both> cases;  // by name and shape; several seeds: the worst
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
    if (factor > policy.error_growth)
      out.push_back({.name = key.first, .base = both.base, .head = both.head, .factor = factor});
  }
  std::sort(out.begin(), out.end(), [](const ErrorGrowth& a, const ErrorGrowth& b) { return a.factor > b.factor; });
  return out;
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
