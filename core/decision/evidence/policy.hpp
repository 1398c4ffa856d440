// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a manifest's [policy] says. Pure data; `for_benchmark` applies the overrides in order, the last match wins.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate {

enum class Rule { pairs, mwu_cliff };
enum class OnFinding { warn, fail };
enum class Against { pairs, stored };  // stored: head alone is timed and compared with a stored baseline

// What production runs: benchmarks weighted by how often. Weights are relative; a benchmark takes the weight of the
// last entry whose expression its name matches.
struct WorkloadEntry {
  std::string match;  // as PolicyOverride::match
  double weight = 1;
};
struct Workload {
  std::string name;
  std::vector<WorkloadEntry> entries;
};

struct PolicyOverride {
  std::string match;  // ECMAScript regular expression, searched in the benchmark's name
  std::optional<double> tolerate;
  std::optional<double> catch_limit;
  std::optional<OnFinding> small;
  std::optional<OnFinding> missing;
};

struct Policy {
  Rule rule = Rule::pairs;
  double tolerate = 0.01;     // fraction: a true shift up to this is noise
  double catch_limit = 0.03;  // fraction: a true shift from here on is caught (manifest key: catch)
  OnFinding small = OnFinding::warn;
  OnFinding missing = OnFinding::warn;
  OnFinding missing_cases = OnFinding::fail;  // cases of base's check that head's has no more
  int max_pairs = 16;
  double gpu_seconds = 600;                         // budget of one run
  double error_growth = 2.0;                        // growth of a check's numerical error from which on it is a warning
  OnFinding error_growth_action = OnFinding::warn;  // fail: growth past the factor is broken
  Against against = Against::pairs;
  OnFinding stored = OnFinding::warn;    // what a regression does that only a stored baseline shows
  OnFinding not_felt = OnFinding::warn;  // a slowdown on the device that the host's time is proven not to feel
  std::vector<PolicyOverride> overrides;
  std::vector<Workload> workloads{};  // manifest: [[workload]]
};

// Whether a shift can lie between what is tolerated and what is caught.
[[nodiscard]] constexpr bool is_band(double tolerate, double catch_limit) {
  return tolerate >= 0 && tolerate < catch_limit && catch_limit <= 1;
}
// The same as a refusal of what `where` gave.
[[nodiscard]] Status check_band(const Policy& policy, const std::string& where);

[[nodiscard]] std::string_view to_string(Rule);
[[nodiscard]] std::string_view to_string(OnFinding);
[[nodiscard]] std::string_view to_string(Against);
[[nodiscard]] std::optional<Rule> parse_rule(std::string_view);
[[nodiscard]] std::optional<OnFinding> parse_on_finding(std::string_view);
[[nodiscard]] std::optional<Against> parse_against(std::string_view);

// Whether `match` of an override can be used: a regular expression without back-references, not too long. Such a one
// is matched in time linear in the name, so a manifest cannot stall the server.
[[nodiscard]] Status check_match(std::string_view match);

// The policy that holds for one benchmark: overrides applied, `overrides` of the copy empty.
[[nodiscard]] Policy for_benchmark(const Policy& policy, std::string_view benchmark);

// A canonical one-line text of all fields: part of the key under which a verdict may be reused.
[[nodiscard]] std::string canonical_text(const Policy& policy);

// A number of such a text: the policy's own, for "tolerate", "catch", "max_pairs" or "gpu_seconds"; 0: none.
[[nodiscard]] double figure_of(std::string_view canonical, std::string_view name);

}  // namespace kernelgate
