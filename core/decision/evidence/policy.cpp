// SPDX-License-Identifier: Apache-2.0
#include "core/decision/evidence/policy.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <iterator>

#include "core/decision/evidence/match.hpp"
#include "core/units/limits.hpp"

namespace kernelgate {

Status check_band(const Policy& policy, const std::string& where) {
  if (is_band(policy.tolerate, policy.catch_limit)) return {};
  return fail(Errc::invalid, fmt::format("tolerate {} and catch {} are no band", policy.tolerate, policy.catch_limit),
              where, "give fractions with 0 <= tolerate < catch <= 1, such as 0.01 and 0.03");
}

// __polynomial (libstdc++) refuses back-references and keeps "(a*)*b" from taking exponential time.
std::regex compile_match(const std::string& match) {
  return std::regex(match, std::regex::ECMAScript | std::regex_constants::__polynomial);
}

Status check_match(std::string_view match) {
  if (match.empty()) return fail(Errc::invalid, "is empty", {}, "write '.*' for every benchmark");
  if (match.size() > limits::kMatchMax)
    return fail(Errc::too_large, fmt::format("has {} bytes", match.size()), {},
                fmt::format("{} at most", limits::kMatchMax));
  try {
    (void)compile_match(std::string(match));
  } catch (const std::regex_error& error) {
    return fail(Errc::invalid, fmt::format("is no regular expression: {}", error.what()), {},
                "write an ECMAScript regular expression without back-references");
  }
  return {};
}

std::string_view to_string(Rule rule) { return rule == Rule::pairs ? "pairs" : "mwu_cliff"; }
std::string_view to_string(OnFinding action) { return action == OnFinding::warn ? "warn" : "fail"; }

std::string_view to_string(Against against) { return against == Against::pairs ? "pairs" : "stored"; }

std::optional<Rule> parse_rule(std::string_view text) {
  if (text == "pairs") return Rule::pairs;
  if (text == "mwu_cliff") return Rule::mwu_cliff;
  return std::nullopt;
}

std::optional<OnFinding> parse_on_finding(std::string_view text) {
  if (text == "warn") return OnFinding::warn;
  if (text == "fail") return OnFinding::fail;
  return std::nullopt;
}

std::optional<Against> parse_against(std::string_view text) {
  if (text == "pairs") return Against::pairs;
  if (text == "stored") return Against::stored;
  return std::nullopt;
}

Policy for_benchmark(const Policy& policy, std::string_view benchmark) {
  Policy out = policy;
  out.overrides.clear();
  for (const PolicyOverride& entry : policy.overrides) {
    if (!std::regex_search(benchmark.begin(), benchmark.end(), compile_match(entry.match))) continue;
    if (entry.tolerate) out.tolerate = *entry.tolerate;
    if (entry.catch_limit) out.catch_limit = *entry.catch_limit;
    if (entry.small) out.small = *entry.small;
    if (entry.missing) out.missing = *entry.missing;
  }
  return out;
}

std::string canonical_text(const Policy& policy) {
  std::string out = fmt::format(
      "rule={} tolerate={} catch={} small={} missing={} max_pairs={} gpu_seconds={} error_growth={} {}",
      to_string(policy.rule), policy.tolerate, policy.catch_limit, to_string(policy.small), to_string(policy.missing),
      policy.max_pairs, policy.gpu_seconds, policy.error_growth, to_string(policy.error_growth_action));
  if (policy.against != Against::pairs)
    fmt::format_to(std::back_inserter(out), " against={} stored={}", to_string(policy.against),
                   to_string(policy.stored));
  if (policy.missing_cases != OnFinding::fail)
    fmt::format_to(std::back_inserter(out), " missing_cases={}", to_string(policy.missing_cases));
  if (policy.not_felt != OnFinding::warn)
    fmt::format_to(std::back_inserter(out), " not_felt={}", to_string(policy.not_felt));
  for (const PolicyOverride& entry : policy.overrides) {
    fmt::format_to(std::back_inserter(out), " override={}:{}", entry.match.size(), entry.match);
    if (entry.tolerate) fmt::format_to(std::back_inserter(out), " tolerate={}", *entry.tolerate);
    if (entry.catch_limit) fmt::format_to(std::back_inserter(out), " catch={}", *entry.catch_limit);
    if (entry.small) fmt::format_to(std::back_inserter(out), " small={}", to_string(*entry.small));
    if (entry.missing) fmt::format_to(std::back_inserter(out), " missing={}", to_string(*entry.missing));
  }
  for (const Workload& workload : policy.workloads) {
    fmt::format_to(std::back_inserter(out), " workload={}:{}", workload.name.size(), workload.name);
    for (const WorkloadEntry& entry : workload.entries)
      fmt::format_to(std::back_inserter(out), " {}:{}={}", entry.match.size(), entry.match, entry.weight);
  }
  return out;
}

double figure_of(std::string_view canonical, std::string_view name) {
  const std::string text(canonical);  // overrides follow the policy's own figures
  const std::string key = fmt::format(" {}=", name);
  const auto at = text.find(key);
  return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + key.size(), nullptr);
}

}  // namespace kernelgate
