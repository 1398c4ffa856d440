// SPDX-License-Identifier: Apache-2.0
#pragma once

// Why a plain user may make no user namespace on this machine, which the sandbox of a plain user is made of.

#include <filesystem>
#include <optional>
#include <string>

namespace kernelgate {

struct Obstacle {
  std::string what, fix;
};

// Below the root that holds proc/; empty: the settings that we know of do not forbid it.
[[nodiscard]] std::optional<Obstacle> namespaces_obstacle(const std::filesystem::path& root = "/");

}  // namespace kernelgate
