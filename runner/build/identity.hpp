// SPDX-License-Identifier: Apache-2.0
#pragma once

// Proves two builds of a suite to be the same program: a hash of what the loader maps (allocated ELF sections; build
// ids, notes, unwind tables and debug information left out) of the executable and of every shared library and device
// code file in its build folder. Device code that nvcc embedded is hashed apart: nvcc writes the size of the source
// file into it, so that different bytes may still be the same code. Only proof counts: a script has no identity. What a
// program reads of the source is no part of it: see data_digest.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate {

struct SuiteIdentity {
  std::string host;
  std::string embedded;  // of the device code inside the files; empty: there is none
  bool operator==(const SuiteIdentity&) const = default;
};

// Of a file of a build folder. Errc::corrupt: it is not ELF or is cut short; otherwise as read_foreign_file.
[[nodiscard]] Result<SuiteIdentity> hash_elf(const std::filesystem::path& build, const std::filesystem::path& relative);

// `line` is a run line of the manifest, unexpanded ("{build}/bench --flag", "cd {source} && {build}/bench"). Empty:
// cannot be proven.
[[nodiscard]] Result<std::optional<SuiteIdentity>> suite_identity(const std::filesystem::path& build,
                                                                  std::string_view line);

// The program of a run line and the shared libraries of its build folder, relative to it; those without embedded
// device code are left out. Empty where the line has no identity.
[[nodiscard]] std::vector<std::filesystem::path> files_with_device_code(const std::filesystem::path& build,
                                                                        std::string_view line);

// SHA-256 over the files below `source` that a glob matches, as `data` of the manifest names them. Empty where that
// proves nothing: a link among them may lead to what no glob matches.
[[nodiscard]] Result<std::optional<std::string>> data_digest(const std::filesystem::path& source,
                                                             const std::vector<std::string>& globs);

// SHA-256 of the file that the line starts, whatever it is; empty where the line names no file of the build.
[[nodiscard]] std::string program_sha256(const std::filesystem::path& build, std::string_view line);

}  // namespace kernelgate
