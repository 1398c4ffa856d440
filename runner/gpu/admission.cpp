// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/admission.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>

namespace kernelgate::gpu {

std::string obstacle(const GpuFacts& gpu, const GpuReading& reading, const GpuUsers& users, bool just_used,
                     const AdmissionLimits& limits) {
  if (users.foreign > 0) return "the GPU is used by " + users.first_foreign;
  if (!just_used && reading.utilisation && *reading.utilisation > limits.utilisation_max)
    return fmt::format("the GPU is not idle: {:.0f} % used", *reading.utilisation * 100);
  const double hot = gpu.slowdown_c ? *gpu.slowdown_c - limits.below_slowdown_c : limits.temperature_max_c;
  if (reading.temperature_c && *reading.temperature_c > hot)
    return fmt::format("the GPU is too hot: {:.0f} °C, and may have {:.0f}", *reading.temperature_c, hot);
  return {};
}

Status wait_until_free(const std::function<std::string()>& look, const std::function<void(const std::string&)>& say,
                       const std::stop_token& stop, std::chrono::milliseconds patience,
                       std::chrono::milliseconds pause) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::mutex mutex;
  std::string told;
  while (true) {
    std::string why = look();
    if (why.empty()) return {};
    if (stop.stop_requested()) return fail(Errc::conflict, "stopped while waiting: " + why);
    if (std::chrono::steady_clock::now() >= deadline)
      return fail(Errc::unavailable,
                  fmt::format("waited {:.0f} s for the GPU: {}", std::chrono::duration<double>(patience).count(), why),
                  {}, "free the GPU, or let another runner take the run");
    if (why != told && say) say("waiting: " + why);
    told = std::move(why);
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait_for(lock, stop, pause, [] { return false; });
  }
}

}  // namespace kernelgate::gpu
