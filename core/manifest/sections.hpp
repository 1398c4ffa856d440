// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sections of kernelgate.toml, one reader each. Private to core/manifest: brings in toml++.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/manifest/manifest.hpp"
#include "core/manifest/toml_reader.hpp"

namespace kernelgate::manifest {

// Limits of a manifest; docs/MANIFEST.md names them.
inline constexpr double kSampleMsLeast = 0.01;
inline constexpr double kSampleMsMost = 10000;

// `data`: globs that every suite reads; unset where the key is absent.
void read_build(const toml::table& table, BuildRecipe& out, std::optional<std::vector<std::string>>& data,
                Problems& problems);
void read_suite(const toml::table& table, SuiteSpec& out, Problems& problems);
void read_policy(const toml::table& table, Policy& out, Problems& problems);
void read_workload(const toml::table& table, Workload& out, Problems& problems);
void read_sanitizer(const toml::table& table, SanitizerSpec& out, Problems& problems);
void read_sweep(const toml::table& table, const std::vector<SuiteSpec>& suites, Sweep& out, Problems& problems);

// cwd, env and path of a [build] or [[suite]].
void read_setting(TableReader& reader, CommandSetting& out);

// Which submodules are checked out.
void read_submodules(TableReader& reader, SubmoduleChoice& out);

// A list of globs; absent: `out` stays.
void read_globs(TableReader& reader, std::string_view key, std::vector<std::string>& out);
void read_globs(TableReader& reader, std::string_view key, std::optional<std::vector<std::string>>& out);

// A command line: its placeholders known, not too long. Absent: `out` stays.
void read_command(TableReader& reader, std::string_view key, std::string& out);

}  // namespace kernelgate::manifest
