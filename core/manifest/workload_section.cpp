// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/manifest/sections.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::manifest {
namespace {

constexpr double kWeightLeast = 1e-9, kWeightMost = 1e9;

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= limits::kManifestNameMax && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("_.- ").find(c) != std::string_view::npos;
  });
}

void read_entry(const toml::table& table, Workload& out, Problems& problems) {
  TableReader reader(table, "entries of [[workload]]", problems);
  WorkloadEntry entry;
  reader.require("match", "give a regular expression that is searched in the benchmark's name");
  if (const auto match = reader.text("match")) {
    if (const Status good = check_match(*match); !good)
      reader.wrong("match", good.error().what, good.error().fix);
    else
      entry.match = *match;
  }
  reader.require("weight", "say how often production runs it; weights are relative");
  entry.weight = reader.number("weight", kWeightLeast, kWeightMost).value_or(entry.weight);
  reader.refuse_unknown();
  out.entries.push_back(std::move(entry));
}

void read_entries(TableReader& reader, const toml::array& entries, Workload& out) {
  if (entries.empty()) reader.wrong("entries", "is empty", "name at least one benchmark");
  if (entries.size() > static_cast<std::size_t>(limits::kWorkloadsMax))
    reader.wrong("entries", fmt::format("has {} entries", entries.size()),
                 fmt::format("{} at most", limits::kWorkloadsMax));
  for (const toml::node& entry : entries) {
    if (const toml::table* table = entry.as_table())
      read_entry(*table, out, reader.problems());
    else
      reader.problems().add(position_of(entry),
                            "'entries' of [[workload]] must hold tables, but holds " + std::string(type_name(entry)),
                            "write { match = \"…\", weight = 1 }");
  }
}

}  // namespace

void read_workload(const toml::table& table, Workload& out, Problems& problems) {
  TableReader reader(table, "[[workload]]", problems);
  reader.require("name", "give the workload a name");
  if (const auto name = reader.text("name")) {
    if (is_name(*name))
      out.name = *name;
    else
      reader.wrong("name", name->empty() ? "is empty" : fmt::format("is '{}'", name->substr(0, 60)),
                   fmt::format("use 1 to {} letters, digits, spaces and '_.-'", limits::kManifestNameMax));
  }
  reader.require("entries", "say what it runs, such as entries = [{ match = \"gemm/.*/M:1$\", weight = 24 }]");
  if (const toml::array* entries = reader.array("entries")) read_entries(reader, *entries, out);
  reader.refuse_unknown();
}

}  // namespace kernelgate::manifest
