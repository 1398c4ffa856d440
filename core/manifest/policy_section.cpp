// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/manifest/sections.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::manifest {
namespace {

constexpr double kShiftMost = 1;  // a slowdown of 100 %
constexpr double kErrorGrowthMost = 1e6;

std::optional<OnFinding> read_action(TableReader& reader, std::string_view key) {
  const auto word = reader.word(key, {"warn", "fail"});
  return word ? parse_on_finding(*word) : std::nullopt;
}

void check_band(TableReader& reader, double tolerate, double catch_limit) {
  if (is_band(tolerate, catch_limit)) return;
  const char* key = reader.any("catch") ? "catch" : "tolerate";
  reader.wrong(key, fmt::format("leaves no band: tolerate is {}, catch is {}", tolerate, catch_limit),
               "tolerate must be below catch");
}

void read_override(const toml::table& table, Policy& policy, Problems& problems) {
  TableReader reader(table, "[[policy.override]]", problems);
  PolicyOverride out;
  reader.require("match", "give a regular expression that is searched in the benchmark's name");
  if (const auto match = reader.text("match")) {
    if (const Status good = check_match(*match); !good)
      reader.wrong("match", good.error().what, good.error().fix);
    else
      out.match = *match;
  }
  out.tolerate = reader.number("tolerate", 0, kShiftMost);
  out.catch_limit = reader.number("catch", 0, kShiftMost);
  out.small = read_action(reader, "small");
  out.missing = read_action(reader, "missing");
  if (out.tolerate || out.catch_limit)
    check_band(reader, out.tolerate.value_or(policy.tolerate), out.catch_limit.value_or(policy.catch_limit));
  reader.refuse_unknown();
  if (table.size() == 1 && table.contains("match"))
    reader.wrong("match", "changes nothing", "add tolerate, catch, small or missing");
  policy.overrides.push_back(std::move(out));
}

}  // namespace

void read_policy(const toml::table& table, Policy& out, Problems& problems) {
  TableReader reader(table, "[policy]", problems);
  if (const auto rule = reader.word("rule", {"pairs", "mwu_cliff"})) out.rule = *parse_rule(*rule);
  out.tolerate = reader.number("tolerate", 0, kShiftMost).value_or(out.tolerate);
  out.catch_limit = reader.number("catch", 0, kShiftMost).value_or(out.catch_limit);
  check_band(reader, out.tolerate, out.catch_limit);
  out.small = read_action(reader, "small").value_or(out.small);
  out.missing = read_action(reader, "missing").value_or(out.missing);
  out.missing_cases = read_action(reader, "missing_cases").value_or(out.missing_cases);
  if (const auto pairs = reader.integer("max_pairs", 2, limits::kPairsMax)) out.max_pairs = static_cast<int>(*pairs);
  out.gpu_seconds = reader.number("gpu_seconds", 1, limits::kGpuSecondsMax).value_or(out.gpu_seconds);
  out.error_growth = reader.number("error_growth", 1, kErrorGrowthMost).value_or(out.error_growth);
  out.error_growth_action = read_action(reader, "error_growth_action").value_or(out.error_growth_action);
  if (const auto against = reader.word("against", {"pairs", "stored"})) out.against = *parse_against(*against);
  out.stored = read_action(reader, "stored").value_or(out.stored);
  out.not_felt = read_action(reader, "not_felt").value_or(out.not_felt);
  const auto overrides = reader.tables("override");
  if (overrides.size() > limits::kOverridesMax)
    reader.wrong("override", fmt::format("has {} entries", overrides.size()),
                 fmt::format("{} at most", limits::kOverridesMax));
  for (const toml::table* entry : overrides) read_override(*entry, out, problems);
  reader.refuse_unknown();
}

}  // namespace kernelgate::manifest
