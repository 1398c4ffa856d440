// SPDX-License-Identifier: Apache-2.0
#include "kernels/bench/plan.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace kernels::bench {

Rotation rotation_for(Cache cache, std::size_t footprint_bytes, std::size_t l2_bytes) {
  if (cache == Cache::warm) {
    if (footprint_bytes == 0 || footprint_bytes > l2_bytes) return {};
    const std::size_t fit = l2_bytes / 2 / footprint_bytes;
    return {.sets = static_cast<int>(std::clamp<std::size_t>(fit, 1, kWarmSetsMax)), .placements = kPlacements};
  }
  const std::size_t wanted = kColdFactor * l2_bytes;
  if (footprint_bytes >= wanted) return {.mode = Mode::flushed};
  const std::size_t sets = (wanted + footprint_bytes - 1) / std::max<std::size_t>(footprint_bytes, 1);
  if (footprint_bytes == 0 || sets > kSetsMax)
    throw std::invalid_argument("operands of " + std::to_string(footprint_bytes) +
                                " bytes are too small to be measured with a cold cache (" + std::to_string(kSetsMax) +
                                " copies at most); make them larger, or the benchmark warm");
  return {.sets = static_cast<int>(std::max<std::size_t>(sets, 2))};
}

int calls_for(double call_ms, int sets) {
  const double calls = std::ceil(kBatchMs / std::max(call_ms, 1e-5));
  const int rounds = static_cast<int>(std::ceil(std::min(calls, double{kCallsMax}) / sets));
  return std::max(rounds, 1) * sets;
}

double without_reset(double batch_ms, double reset_ms) { return std::max(batch_ms - reset_ms, 0.0); }

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

std::string full_name(const std::string& name, Cache cache) {
  return name + (cache == Cache::warm ? "/warm" : "/cold");
}

std::string result_name(const std::string& name, Cache cache) { return full_name(name, cache) + "/manual_time"; }

}  // namespace kernels::bench
