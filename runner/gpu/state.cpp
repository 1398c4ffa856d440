// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace kernelgate::gpu {
namespace {

using Json = nlohmann::ordered_json;
using Figure = std::optional<double> GpuReading::*;

constexpr std::uint64_t kDisturbing = kHardwareSlowdown | kSoftwareThermal | kHardwareThermal | kPowerBrake;
// 13 exception in a kernel, 31 bad address, 43 and 45 the process was stopped or cleaned up after, 68 and 69 video and
// class errors that a program provokes.
constexpr std::array<unsigned, 6> kKernelsOwn{13, 31, 43, 45, 68, 69};

std::uint64_t reasons_of(const GpuWindow& window) {
  std::uint64_t out = window.before.reasons.value_or(0) | window.after.reasons.value_or(0);
  for (const auto& reading : window.during) out |= reading.reasons.value_or(0);
  return out;
}

void put(Json& out, const char* name, const std::optional<double>& value) {
  if (value) out[name] = *value;
}

Json moment(const GpuReading& reading) {
  Json out = Json::object();
  put(out, "sm_mhz", reading.sm_mhz);
  put(out, "memory_mhz", reading.memory_mhz);
  put(out, "temperature_c", reading.temperature_c);
  put(out, "power_w", reading.power_w);
  put(out, "power_limit_w", reading.power_limit_w);
  put(out, "utilisation", reading.utilisation);
  if (reading.reasons) out["reasons"] = reason_names(*reading.reasons);
  return out;
}

void put_range(Json& out, const char* name, const std::vector<GpuReading>& readings, Figure figure) {
  std::optional<double> low, high;
  for (const auto& reading : readings) {
    const auto& value = reading.*figure;
    if (!value) continue;
    low = std::min(low.value_or(*value), *value);
    high = std::max(high.value_or(*value), *value);
  }
  if (low) out[name] = {*low, *high};
}

Json during(const GpuWindow& window) {
  Json out = Json::object();
  out["readings"] = window.during.size();
  put_range(out, "sm_mhz", window.during, &GpuReading::sm_mhz);
  put_range(out, "temperature_c", window.during, &GpuReading::temperature_c);
  put_range(out, "power_w", window.during, &GpuReading::power_w);
  put(out, "sm_mhz_loaded", loaded_clock_mhz(window));
  std::uint64_t reasons = 0;
  for (const auto& reading : window.during) reasons |= reading.reasons.value_or(0);
  if (!window.during.empty()) out["reasons"] = reason_names(reasons);
  return out;
}

// How much a counter grew over the process.
void put_growth(Json& out, const char* name, const std::optional<std::uint64_t>& before,
                const std::optional<std::uint64_t>& after) {
  if (before && after) out[name] = *after >= *before ? *after - *before : 0;
}

}  // namespace

bool is_kernels_own(unsigned xid) {
  return std::find(kKernelsOwn.begin(), kKernelsOwn.end(), xid) != kKernelsOwn.end();
}

std::string disturbance_of(const GpuWindow& window) {
  std::string out;
  const auto add = [&out](const std::string& what) { out += (out.empty() ? "" : "; ") + what; };
  if (const std::uint64_t reasons = reasons_of(window) & kDisturbing; reasons != 0) {
    std::string names;
    for (const auto& name : reason_names(reasons)) names += (names.empty() ? "" : ", ") + name;
    add("the GPU slowed itself down: " + names);
  }
  if (window.errors)
    for (const unsigned xid : *window.errors)
      if (!is_kernels_own(xid)) add(fmt::format("the GPU reported error Xid {}", xid));
  if (window.users.foreign > 0) add("a foreign process on the GPU: " + window.users.first_foreign);
  return out;
}

std::optional<double> loaded_clock_mhz(const GpuWindow& window) {
  std::vector<double> clocks;
  for (const auto& reading : window.during)
    if (reading.sm_mhz) clocks.push_back(*reading.sm_mhz);
  if (clocks.empty()) return std::nullopt;
  const double half = *std::max_element(clocks.begin(), clocks.end()) / 2;
  std::erase_if(clocks, [half](double clock) { return clock < half; });
  const auto middle = clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2);
  std::nth_element(clocks.begin(), middle, clocks.end());
  return *middle;
}

std::string state_json(const GpuFacts& gpu, const GpuWindow& window, double price_per_hour) {
  Json out;
  out["card"] = gpu.uuid;
  out["mig"] = gpu.mig_mode;
  out["before"] = moment(window.before);
  out["during"] = during(window);
  out["after"] = moment(window.after);
  put_growth(out, "ecc_corrected", window.before.ecc_corrected, window.after.ecc_corrected);
  put_growth(out, "ecc_uncorrected", window.before.ecc_uncorrected, window.after.ecc_uncorrected);
  put_growth(out, "thermal_ns", window.before.thermal_ns, window.after.thermal_ns);
  put_growth(out, "power_cap_ns", window.before.power_cap_ns, window.after.power_cap_ns);
  if (window.errors) out["xid"] = *window.errors;
  if (window.users.known)
    out["processes"] = {
        {"ours", window.users.ours}, {"foreign", window.users.foreign}, {"numbers_visible", window.users.visible}};
  if (price_per_hour > 0) out["price_per_hour"] = price_per_hour;
  return out.dump();
}

}  // namespace kernelgate::gpu
