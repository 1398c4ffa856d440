// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sections of kernelgate.toml, one reader each. Private to core/manifest: brings in toml++.

#include <cstddef>
#include <string_view>

#include "core/manifest/manifest.hpp"
#include "core/manifest/toml_reader.hpp"

namespace kernelgate::manifest {

// Limits of a manifest; docs/MANIFEST.md names them.
inline constexpr double kSampleMsLeast = 0.01;
inline constexpr double kSampleMsMost = 10000;

void read_build(const toml::table& table, BuildRecipe& out, Problems& problems);
void read_suite(const toml::table& table, SuiteSpec& out, Problems& problems);
void read_policy(const toml::table& table, Policy& out, Problems& problems);
void read_workload(const toml::table& table, Workload& out, Problems& problems);
void read_sanitizer(const toml::table& table, SanitizerSpec& out, Problems& problems);
void read_sweep(const toml::table& table, const std::vector<SuiteSpec>& suites, Sweep& out, Problems& problems);

// A command line: its placeholders known, not too long. Absent: `out` stays.
void read_command(TableReader& reader, std::string_view key, std::string& out);

}  // namespace kernelgate::manifest
