// SPDX-License-Identifier: Apache-2.0
#pragma once

// Does the GPU still work? Asked after a hang, a crash and an error of the GPU, before the next process starts.

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

#include "runner/gpu/nvml.hpp"

namespace kernelgate::gpu {

// Our helper programs for GPUs: their names, and the folder they lie in unless told otherwise.
inline constexpr std::string_view kHealthProgram = "kg_probe_health";
inline constexpr std::string_view kControlProgram = "kg_probe_control";

// Empty: it is not there. `folder` empty: beside the running program.
[[nodiscard]] std::filesystem::path find_probe(std::string_view name, const std::filesystem::path& folder);

struct Health {
  bool works = false;
  std::string text;  // what was asked and what came of it
};

// Starts the health program, which computes something small; without one only the driver is asked, and the text says
// so. Errc::conflict on a stop.
[[nodiscard]] Result<Health> check_health(const Gpu& gpu, const std::filesystem::path& program,
                                          const std::stop_token& stop);

}  // namespace kernelgate::gpu
