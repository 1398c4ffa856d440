// SPDX-License-Identifier: Apache-2.0
#pragma once

// The findings about the machine, one function a topic. Used by commands/doctor only.

#include <filesystem>
#include <string>
#include <vector>

#include "commands/doctor/doctor.hpp"

namespace kernelgate::doctor {

// Programs on `path`: git, compilers, cmake, ninja, ccache, nvcc.
[[nodiscard]] std::vector<Finding> find_tools(const std::string& path);

// Below the root that holds proc/ and sys/.
[[nodiscard]] Finding find_cores(const std::filesystem::path& root);
[[nodiscard]] Finding find_load(const std::filesystem::path& root, int cores);
[[nodiscard]] Finding find_memory(const std::filesystem::path& root);
[[nodiscard]] Finding find_clock_source(const std::filesystem::path& root);
[[nodiscard]] Finding find_governor(const std::filesystem::path& root);
[[nodiscard]] Finding find_namespaces(const std::filesystem::path& root);

// Free space of the file system that holds `folder`.
[[nodiscard]] Finding find_disk(const std::string& topic, const std::filesystem::path& folder);

}  // namespace kernelgate::doctor
