// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/manifest/manifest.hpp"

namespace kernelgate {
namespace {

using Lines = std::vector<std::string>;

void compare(Lines& out, const std::string& name, const std::string& base, const std::string& head) {
  if (base != head) out.push_back(fmt::format("{}: '{}' became '{}'", name, base, head));
}

void compare(Lines& out, const std::string& name, double base, double head) {
  if (base != head) out.push_back(fmt::format("{}: {} became {}", name, base, head));
}

void compare(Lines& out, const std::string& name, const Lines& base, const Lines& head) {
  if (base != head)
    out.push_back(fmt::format("{}: [{}] became [{}]", name, fmt::join(base, ", "), fmt::join(head, ", ")));
}

Lines describe_overrides(const Policy& policy) {
  Lines out;
  for (const PolicyOverride& entry : policy.overrides) {
    std::string line = entry.match;
    if (entry.tolerate) line += fmt::format(" tolerate={}", *entry.tolerate);
    if (entry.catch_limit) line += fmt::format(" catch={}", *entry.catch_limit);
    if (entry.small) line += fmt::format(" small={}", to_string(*entry.small));
    if (entry.missing) line += fmt::format(" missing={}", to_string(*entry.missing));
    out.push_back(std::move(line));
  }
  return out;
}

Lines describe_workloads(const Policy& policy) {
  Lines out;
  for (const Workload& workload : policy.workloads) {
    std::string line = workload.name + ":";
    for (const WorkloadEntry& entry : workload.entries) line += fmt::format(" {}={}", entry.match, entry.weight);
    out.push_back(std::move(line));
  }
  return out;
}

void compare_policies(Lines& out, const Policy& base, const Policy& head) {
  const auto word = [](auto value) { return std::string(to_string(value)); };
  compare(out, "policy.rule", word(base.rule), word(head.rule));
  compare(out, "policy.tolerate", base.tolerate, head.tolerate);
  compare(out, "policy.catch", base.catch_limit, head.catch_limit);
  compare(out, "policy.small", word(base.small), word(head.small));
  compare(out, "policy.missing", word(base.missing), word(head.missing));
  compare(out, "policy.missing_cases", word(base.missing_cases), word(head.missing_cases));
  compare(out, "policy.max_pairs", base.max_pairs, head.max_pairs);
  compare(out, "policy.gpu_seconds", base.gpu_seconds, head.gpu_seconds);
  compare(out, "policy.error_growth", base.error_growth, head.error_growth);
  compare(out, "policy.error_growth_action", word(base.error_growth_action), word(head.error_growth_action));
  compare(out, "policy.against", word(base.against), word(head.against));
  compare(out, "policy.stored", word(base.stored), word(head.stored));
  compare(out, "policy.not_felt", word(base.not_felt), word(head.not_felt));
  compare(out, "policy.override", describe_overrides(base), describe_overrides(head));
  compare(out, "workload", describe_workloads(base), describe_workloads(head));
}

Lines describe_setting(const CommandSetting& setting) {
  Lines out;
  if (!setting.cwd.empty()) out.push_back("cwd=" + setting.cwd);
  for (const auto& [name, value] : setting.env) out.push_back(name + "=" + value);
  for (const std::string& folder : setting.path) out.push_back("path=" + folder);
  return out;
}

void compare_suites(Lines& out, const SuiteSpec& base, const SuiteSpec& head) {
  const std::string name = "suite '" + base.name + "' ";
  const auto word = [](TimeSource time) { return std::string(time == TimeSource::cpu ? "cpu" : "real"); };
  compare(out, name + "format", std::string(to_string(base.format)), std::string(to_string(head.format)));
  compare(out, name + "run", base.run, head.run);
  compare(out, name + "check", base.check, head.check);
  compare(out, name + "check_library", base.check_library, head.check_library);
  compare(out, name + "cwd, env and path", describe_setting(base.setting), describe_setting(head.setting));
  compare(out, name + "data", base.data.value_or(Lines()), head.data.value_or(Lines()));
  compare(out, name + "time", word(base.time), word(head.time));
  compare(out, name + "clock", std::string(to_string(base.clock)), std::string(to_string(head.clock)));
  compare(out, name + "sample_ms", base.sample_ms, head.sample_ms);
  compare(out, name + "timeout_s", static_cast<double>(base.timeout.count()),
          static_cast<double>(head.timeout.count()));
}

const SuiteSpec* find_suite(const Manifest& manifest, const std::string& name) {
  const auto at = std::find_if(manifest.suites.begin(), manifest.suites.end(),
                               [&](const SuiteSpec& suite) { return suite.name == name; });
  return at == manifest.suites.end() ? nullptr : &*at;
}

}  // namespace

std::vector<std::string> effective_manifest_changes(const Manifest& base, const Manifest& head) {
  Lines out;
  compare_policies(out, base.policy, head.policy);
  compare(out, "build.inputs", base.build.inputs, head.build.inputs);
  const auto flag = [](bool on) { return std::string(on ? "true" : "false"); };
  compare(out, "sanitizer.memcheck", flag(base.sanitizer.memcheck), flag(head.sanitizer.memcheck));
  compare(out, "sanitizer.racecheck", flag(base.sanitizer.racecheck), flag(head.sanitizer.racecheck));
  for (const SuiteSpec& suite : base.suites) {
    if (const SuiteSpec* other = find_suite(head, suite.name))
      compare_suites(out, suite, *other);
    else
      out.push_back(fmt::format("suite '{}' is gone", suite.name));
  }
  for (const SuiteSpec& suite : head.suites)
    if (!find_suite(base, suite.name)) out.push_back(fmt::format("suite '{}' is new", suite.name));
  return out;
}

}  // namespace kernelgate
