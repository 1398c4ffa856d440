// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes a first kernelgate.toml at the root of a repository by looking at its files, and says what it found. Never
// writes over a manifest.

#include <filesystem>
#include <string>
#include <vector>

#include "commands/init/look.hpp"
#include "core/units/result.hpp"

namespace kernelgate::init {

struct Outcome {
  std::filesystem::path manifest;  // the file that was written
  Found found;
};

// Errc::conflict: there is a manifest. Errc::not_found: no work tree of git.
[[nodiscard]] Result<Outcome> write_manifest(const std::filesystem::path& folder);

// What was found, what could not be, and what to do next.
[[nodiscard]] std::string describe(const Outcome& outcome);

}  // namespace kernelgate::init
