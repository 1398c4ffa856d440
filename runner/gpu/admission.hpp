// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a pair may start on a GPU: nobody else computes there, it is idle and cool enough. Pure but for the waiting.

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "core/units/limits.hpp"
#include "core/units/result.hpp"
#include "runner/gpu/nvml.hpp"
#include "runner/gpu/users.hpp"

namespace kernelgate::gpu {

struct AdmissionLimits {
  double utilisation_max = 0.05;
  double below_slowdown_c = 15;   // a GPU this near to protecting itself will do so during the pair
  double temperature_max_c = 75;  // where the GPU does not say when it protects itself
};

// What keeps a pair from starting, in words; empty: nothing. Utilisation is a mean over up to a second: right after a
// process of ours ended (`just_used`) it is still ours and not asked for.
[[nodiscard]] std::string obstacle(const GpuFacts& gpu, const GpuReading& reading, const GpuUsers& users,
                                   bool just_used, const AdmissionLimits& limits = {});

// Asks `look` again and again until it answers nothing. `say` is told what is waited for. Errc::unavailable after
// `patience` with the last obstacle; conflict on a stop.
[[nodiscard]] Status wait_until_free(const std::function<std::string()>& look,
                                     const std::function<void(const std::string&)>& say, const std::stop_token& stop,
                                     std::chrono::milliseconds patience,
                                     std::chrono::milliseconds pause = std::chrono::milliseconds(250));

}  // namespace kernelgate::gpu
