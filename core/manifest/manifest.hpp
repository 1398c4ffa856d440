// SPDX-License-Identifier: Apache-2.0
#pragma once

// kernelgate.toml, parsed strictly: unknown keys, wrong types and bad values are errors that name
// line and column. A Manifest that exists is valid. docs/MANIFEST.md lists every key.

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/decision/evidence/policy.hpp"
#include "core/units/limits.hpp"
#include "core/units/result.hpp"

namespace kernelgate {

enum class SuiteFormat { google_benchmark, nvbench, pytest_benchmark, samples };
inline constexpr std::array kSuiteFormats{SuiteFormat::google_benchmark, SuiteFormat::nvbench,
                                          SuiteFormat::pytest_benchmark, SuiteFormat::samples};
enum class TimeSource { real, cpu };
enum class SuiteClock { automatic, host, device, both };     // automatic: both where the device has one to read
[[nodiscard]] std::string_view to_string(SuiteClock clock);  // as the manifest spells it: "auto", "host" …

// Where a command runs and what is set around it. Texts may hold {source} and {build}.
struct CommandSetting {
  std::string cwd;                                       // empty: where the runner starts it
  std::vector<std::pair<std::string, std::string>> env;  // names once each, sorted
  std::vector<std::string> path;                         // folders ahead of the sandbox's own PATH
  bool operator==(const CommandSetting&) const = default;
};

// Which submodules a checkout holds. All of them: one that cannot be reached stays an empty folder, and is said.
struct SubmoduleChoice {
  bool all = true;
  std::vector<std::string> paths;  // with !all: these must be there
  bool operator==(const SubmoduleChoice&) const = default;
};

struct BuildRecipe {
  std::string fetch;                      // may be empty; runs with network, writes only the work folder
  std::string configure;                  // may be empty
  std::string build;                      // sealed: no network
  std::vector<std::string> inputs{"**"};  // globs from the root; what the cache key hashes
  std::vector<std::string> overlay;       // globs taken from head also when base is built
  std::chrono::seconds timeout = limits::kBuildTimeout;
  CommandSetting setting{};  // of all three commands
  SubmoduleChoice submodules{};
};

struct SuiteSpec {
  std::string name;
  SuiteFormat format = SuiteFormat::google_benchmark;
  std::string run;
  std::string check;                       // may be empty
  std::vector<std::string> check_library;  // of the build folder: head's, when base's check program judges head
  TimeSource time = TimeSource::real;
  SuiteClock clock = SuiteClock::automatic;
  double sample_ms = 0.5;
  std::chrono::seconds timeout = limits::kSuiteTimeoutDefault;
  bool requires_gpu = false;
  std::string requires_compute;  // "9.0" or empty
  CommandSetting setting{};      // of run and check
  // Globs of what run and check read of the source, [build]'s included; empty: that is not known.
  std::optional<std::vector<std::string>> data{};
};

using AxisValue = std::variant<std::int64_t, double, std::string>;

struct Sweep {
  std::string suite;
  std::map<std::string, std::vector<AxisValue>> axes;
  std::map<std::string, AxisValue> reference{};  // the point that the others are compared with; empty: the first
};

// Tools that the checks of head are run under once more, on a GPU.
struct SanitizerSpec {
  bool memcheck = false;
  bool racecheck = false;
};

struct Manifest {
  int schema = 1;
  BuildRecipe build;
  std::vector<SuiteSpec> suites;
  Policy policy;
  std::vector<Sweep> sweeps;
  SanitizerSpec sanitizer{};
  std::string text_sha256;  // of the text it was parsed from
};

inline constexpr std::string_view kManifestName = "kernelgate.toml";

// "google-benchmark", "nvbench", "pytest-benchmark", "samples": as the manifest spells them.
[[nodiscard]] std::string_view to_string(SuiteFormat format);
[[nodiscard]] std::optional<SuiteFormat> parse_suite_format(std::string_view text);

// `origin` is the file name used in errors: "kernelgate.toml:12:3: unknown key 'tolarate' (did you
// mean 'tolerate'?)".
[[nodiscard]] Result<Manifest> parse_manifest(std::string_view text, const std::string& origin);

// Git-style glob: '*' and '?' stay inside one path component, '**' crosses them, [a-z] classes.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view path);

// Which keys of the effective manifest (policy, inputs, run and check lines) head changed: one readable line
// each.
[[nodiscard]] std::vector<std::string> effective_manifest_changes(const Manifest& base, const Manifest& head);

// A line "cd FOLDER && COMMAND" in its two parts, where the folder is {source}, {build} or a plain path below one of
// them; nothing for any other line.
struct CdLine {
  std::string folder, command;
  bool operator==(const CdLine&) const = default;
};
[[nodiscard]] std::optional<CdLine> leading_cd(std::string_view line);

// The line without its leading cd.
[[nodiscard]] std::string command_of(std::string_view line);

// Puts a point's "-DBLOCK_M=64 -DSTAGES=2" in the place of {defines}.
[[nodiscard]] std::string with_defines(std::string line, std::string_view defines);

// Replaces {source} and {build} in a command line, and {defines} by nothing; an unknown {name} is an error.
[[nodiscard]] Result<std::string> expand(std::string_view line, std::string_view source, std::string_view build);

}  // namespace kernelgate
