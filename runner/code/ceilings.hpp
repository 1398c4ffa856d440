// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rates of this machine's GPU, measured once per epoch by a helper program and kept in a file.

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/units/result.hpp"
#include "core/wire/messages.hpp"
#include "runner/measure/disturbance.hpp"

namespace kernelgate::gpu {

inline constexpr std::string_view kCeilingsProgram = "kg_probe_ceilings";

struct CeilingsRequest {
  wire::TestbedFacts testbed;                                      // the epoch: other facts, other ceilings
  std::filesystem::path program;                                   // kg_probe_ceilings; empty: it is built in `folder`
  std::filesystem::path folder;                                    // where they are kept
  std::vector<std::pair<std::string, std::string>> environment{};  // which GPU
  std::filesystem::path cuda_tools{};                              // folder of nvcc; empty: it is looked for
};

// What is kept, else measured while the device is held and then kept. Errc::not_found: no program, and no nvcc.
[[nodiscard]] Result<Ceilings> find_ceilings(const CeilingsRequest& request, DisturbanceProbe& probe,
                                             const DisturbanceProbe::Say& say, const std::stop_token& stop);

}  // namespace kernelgate::gpu
