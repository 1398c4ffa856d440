// SPDX-License-Identifier: Apache-2.0
#include "core/manifest/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/manifest/sections.hpp"
#include "core/units/digest.hpp"
#include "core/units/limits.hpp"

namespace kernelgate {
namespace {

using manifest::Position;
using manifest::Problems;
using manifest::TableReader;

void read_suites(TableReader& root, Manifest& out) {
  const auto tables = root.tables("suite");
  if (tables.empty() && root.problems().empty())
    root.problems().add({}, "no [[suite]] is declared", "declare at least one suite with name and run");
  if (tables.size() > limits::kSuitesMax)
    root.wrong("suite", fmt::format("has {} entries", tables.size()),
               fmt::format("{} suites at most", limits::kSuitesMax));
  for (const toml::table* table : tables) {
    SuiteSpec suite;
    manifest::read_suite(*table, suite, root.problems());
    const auto same = [&](const SuiteSpec& other) { return other.name == suite.name; };
    if (!suite.name.empty() && std::any_of(out.suites.begin(), out.suites.end(), same))
      root.problems().add(manifest::position_of(*table->get("name")),
                          fmt::format("two suites are named '{}'", suite.name), "give each suite a name of its own");
    out.suites.push_back(std::move(suite));
  }
}

void read_sweeps(TableReader& root, Manifest& out) {
  for (const toml::table* table : root.tables("sweep")) {
    Sweep sweep;
    manifest::read_sweep(*table, out.suites, sweep, root.problems());
    out.sweeps.push_back(std::move(sweep));
  }
}

void read_workloads(TableReader& root, Policy& out) {
  const auto tables = root.tables("workload");
  if (tables.size() > static_cast<std::size_t>(limits::kWorkloadsMax))
    root.wrong("workload", fmt::format("has {} entries", tables.size()),
               fmt::format("{} workloads at most", limits::kWorkloadsMax));
  std::size_t entries = 0;
  for (const toml::table* table : tables) {
    Workload workload;
    manifest::read_workload(*table, workload, root.problems());
    const auto same = [&](const Workload& other) { return other.name == workload.name; };
    if (!workload.name.empty() && std::any_of(out.workloads.begin(), out.workloads.end(), same))
      root.problems().add(manifest::position_of(*table->get("name")),
                          fmt::format("two workloads are named '{}'", workload.name),
                          "give each workload a name of its own");
    entries += workload.entries.size();
    out.workloads.push_back(std::move(workload));
  }
  if (entries > limits::kWorkloadEntriesMax)
    root.wrong("workload", fmt::format("has {} entries in all", entries),
               fmt::format("{} in all workloads at most", limits::kWorkloadEntriesMax));
}

void read_root(const toml::table& table, Manifest& out, Problems& problems) {
  TableReader root(table, "", problems);
  root.require("schema", "the first line is 'schema = 1'");
  if (const auto schema = root.integer("schema", 0, 1'000'000); schema && *schema != 1)
    root.wrong("schema", fmt::format("is {}", *schema), "this version of kernelgate reads schema 1");
  root.require("build", "declare [build] with the key 'build'");
  std::optional<std::vector<std::string>> data;
  if (const toml::table* build = root.table("build")) manifest::read_build(*build, out.build, data, problems);
  read_suites(root, out);
  if (data)
    for (SuiteSpec& suite : out.suites) {
      if (!suite.data) suite.data.emplace();
      suite.data->insert(suite.data->end(), data->begin(), data->end());
    }
  if (const toml::table* policy = root.table("policy")) manifest::read_policy(*policy, out.policy, problems);
  read_workloads(root, out.policy);
  read_sweeps(root, out);
  if (const toml::table* sanitizer = root.table("sanitizer"))
    manifest::read_sanitizer(*sanitizer, out.sanitizer, problems);
  root.refuse_unknown();
}

}  // namespace

std::string_view to_string(SuiteClock clock) {
  switch (clock) {
    case SuiteClock::automatic: return "auto";
    case SuiteClock::host: return "host";
    case SuiteClock::device: return "device";
    case SuiteClock::both: return "both";
  }
  return "auto";
}

std::string_view to_string(SuiteFormat format) {
  switch (format) {
    case SuiteFormat::google_benchmark: return "google-benchmark";
    case SuiteFormat::nvbench: return "nvbench";
    case SuiteFormat::pytest_benchmark: return "pytest-benchmark";
    case SuiteFormat::samples: return "samples";
  }
  return "google-benchmark";
}

std::optional<SuiteFormat> parse_suite_format(std::string_view text) {
  for (const SuiteFormat format : kSuiteFormats)
    if (to_string(format) == text) return format;
  return std::nullopt;
}

Result<Manifest> parse_manifest(std::string_view text, const std::string& origin) {
  if (text.size() > limits::kManifestMax.value)
    return fail(Errc::too_large, fmt::format("the manifest has {} bytes", text.size()), origin,
                fmt::format("{} bytes at most", limits::kManifestMax.value));
  Problems problems(origin);
  Manifest out;
  if (const auto table = manifest::parse_toml(text, problems)) read_root(*table, out, problems);
  if (!problems.empty()) return tl::unexpected<Error>(problems.to_error());
  out.text_sha256 = sha256_hex(text);
  return out;
}

}  // namespace kernelgate
