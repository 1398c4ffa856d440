// SPDX-License-Identifier: Apache-2.0
#pragma once

// The few words of the command line and of the environment that programs here read themselves. Pure but for
// `configurations_of`, which reads a file where it is told to.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace kernels::bench {

// Whether Google Benchmark is asked for the names only, in any of its spellings of true.
[[nodiscard]] inline bool wants_list(int count, const char* const* arguments) {
  constexpr std::string_view kFlag = "--benchmark_list_tests";
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (!argument.starts_with(kFlag)) continue;
    const std::string_view value = argument.substr(kFlag.size());
    if (value.empty() || value == "=true" || value == "=1" || value == "=yes" || value == "=on") return true;
  }
  return false;
}

// A benchmark that chooses among variants and their parameters says in its label which: configuration=WORD. The
// environment can pin that choice for each benchmark. README.md has the whole convention.
inline constexpr const char* kConfigurationsVariable = "KG_CONFIGURATIONS";
inline constexpr std::size_t kConfigurationBytesMax = 128;
inline constexpr std::size_t kConfigurationsBytesMax = 1u << 20;         // of a file: thousands of lines
using Configurations = std::map<std::string, std::string, std::less<>>;  // benchmark's full name: configuration

[[nodiscard]] inline bool is_configuration(std::string_view text) {
  return !text.empty() && text.size() <= kConfigurationBytesMax &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c < 127 && c != '='; });
}

// Lines of BENCHMARK=CONFIGURATION, or @FILE for a file of such lines; empty lines and those from # on are passed over.
// Throws std::runtime_error where a line is neither.
[[nodiscard]] inline Configurations configurations_of(std::string text) {
  if (text.starts_with('@')) {
    const std::string path = text.substr(1);
    std::error_code error;
    const bool is_file = std::filesystem::is_regular_file(path, error);
    if (!is_file || std::filesystem::file_size(path, error) > kConfigurationsBytesMax || error)
      throw std::runtime_error(std::string(kConfigurationsVariable) + ": " + path + " is not a file of up to " +
                               std::to_string(kConfigurationsBytesMax) + " bytes");
    std::ifstream file(path, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), {});
    if (!file) throw std::runtime_error(std::string(kConfigurationsVariable) + ": cannot read " + path);
  }
  Configurations found;
  int number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t at = line.rfind('=');
    if (at == line.npos || at == 0 || !is_configuration(line.substr(at + 1)))
      throw std::runtime_error(std::string(kConfigurationsVariable) + ": line " + std::to_string(number) +
                               " is not BENCHMARK=CONFIGURATION");
    found[std::string(line.substr(0, at))] = line.substr(at + 1);
  }
  return found;
}

}  // namespace kernels::bench
