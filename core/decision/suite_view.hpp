// SPDX-License-Identifier: Apache-2.0
#pragma once

// A suite's evidence sorted by what can be said of each benchmark; shared by the verdict and by the
// question what to measure next, so that both agree on which benchmarks are timed.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/decision/decide.hpp"
#include "core/decision/evidence/pairs.hpp"
#include "core/decision/rule/device_clock.hpp"
#include "core/decision/rule/looks.hpp"
#include "core/decision/rule/stored.hpp"

namespace kernelgate {

// The benchmarks that head is compared with: base's, or where there is no base those of the stored baseline.
[[nodiscard]] std::vector<std::string> base_names(const SuiteEvidence& suite);

class SuiteView {
 public:
  SuiteView(const SuiteEvidence& suite, const Policy& policy, std::span<const StoredVariance> stored);

  std::vector<std::string> timed;    // on both sides and failing on neither, in head's order
  std::vector<std::string> missing;  // in base alone
  std::vector<std::string> added;    // in head alone, without a failure
  std::vector<CaseFailure> failed;   // head's failures that base does not share, and every wrong number
  std::vector<std::pair<std::string, std::string>> unjudgeable;  // benchmark, reason: base fails, no band …

  [[nodiscard]] const SuiteEvidence& suite() const { return suite_; }
  [[nodiscard]] const PairTable& pairs() const { return pairs_; }
  [[nodiscard]] Policy policy_of(std::string_view benchmark) const;  // overrides applied
  [[nodiscard]] KnownNoise known_noise(std::string_view benchmark) const;
  [[nodiscard]] double calibrated(std::string_view benchmark) const;  // least detectable shift; 0: never calibrated
  [[nodiscard]] Sequence sequence(const std::string& benchmark, int round);
  // The same by the device's clock. Its noise is not stored: the first look is after four pairs.
  [[nodiscard]] const DeviceBenchmark& device(std::string_view benchmark) const { return device_.of(benchmark); }
  [[nodiscard]] Sequence device_sequence(const std::string& benchmark);
  // Whether a clock judges this benchmark; the host's does where the device's cannot.
  [[nodiscard]] bool judged_by_host(std::string_view benchmark) const;
  [[nodiscard]] bool judged_by_device(std::string_view benchmark) const;
  [[nodiscard]] const StoredTable& stored() const { return stored_table_; }
  [[nodiscard]] std::optional<StoredJudgement> judge_stored(std::string_view benchmark);
  // The stored baseline cleared it: no pair is taken.
  [[nodiscard]] bool is_cleared(std::string_view benchmark);
  Quantiles quantiles;

 private:
  void sort_benchmarks();

  const SuiteEvidence& suite_;
  const Policy& policy_;
  std::map<std::string, StoredVariance, std::less<>> stored_;
  std::map<std::string, double, std::less<>> calibrated_;
  PairTable pairs_;
  DeviceTable device_;
  StoredTable stored_table_;
};

}  // namespace kernelgate
