// SPDX-License-Identifier: Apache-2.0
#pragma once

// One GPU through NVIDIA's management library, which is loaded at run time: neither its headers nor the library are
// needed to build. Every figure that a GPU or a driver does not give is simply absent. Thread-safe, as the library is.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate::gpu {

// What stays the same while the driver is loaded.
struct GpuFacts {
  std::string model, compute_capability, driver, uuid, mig_mode;
  std::string power_limit;           // "700 W"
  std::optional<double> slowdown_c;  // the temperature at which the GPU protects itself
};

// Bits of GpuReading::reasons: why the clock is lower than asked for.
enum Reason : std::uint64_t {
  kIdle = 0x1,
  kApplicationClocks = 0x2,
  kSoftwarePowerCap = 0x4,
  kHardwareSlowdown = 0x8,
  kSyncBoost = 0x10,
  kSoftwareThermal = 0x20,
  kHardwareThermal = 0x40,
  kPowerBrake = 0x80,
  kDisplayClocks = 0x100,
};

// The GPU at one moment. The two durations and the error counts only grow.
struct GpuReading {
  std::optional<double> sm_mhz, memory_mhz, temperature_c, power_w, power_limit_w;
  std::optional<double> utilisation;  // of the last second or less, 0 to 1
  std::optional<std::uint64_t> reasons;
  std::optional<std::uint64_t> ecc_corrected, ecc_uncorrected;  // since the driver was loaded
  std::optional<std::uint64_t> thermal_ns, power_cap_ns;        // spent slowed down by heat, by the power limit
};

class Gpu {
 public:
  // Errc::unsupported: no library or no driver that answers; not_found: no such GPU.
  [[nodiscard]] static Result<Gpu> open(int index, const std::string& library = "libnvidia-ml.so.1");

  [[nodiscard]] GpuFacts facts() const;
  [[nodiscard]] GpuReading read() const;
  // The figures that change within milliseconds, for a thread that reads them again and again.
  [[nodiscard]] GpuReading read_fast() const;
  // Processes that compute on the GPU, as the driver numbers them; empty: the driver does not say.
  [[nodiscard]] std::optional<std::vector<unsigned>> processes() const;
  // Critical errors (Xid) since the last call; empty: the driver does not report them here.
  [[nodiscard]] std::optional<std::vector<unsigned>> take_errors();
  // Whether the driver still reaches the GPU.
  [[nodiscard]] Status answers() const;
  [[nodiscard]] int count() const;  // GPUs of this machine

 private:
  struct Library;
  struct Events;
  Gpu(std::shared_ptr<Library> library, void* device);
  std::shared_ptr<Library> library_;
  void* device_;
  std::shared_ptr<Events> events_;
};

// Variables that make a program see exactly this GPU; none are needed where it is the only one.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> gpu_environment(const Gpu& gpu);

// "hw_slowdown", "sw_power_cap" … for each bit.
[[nodiscard]] std::vector<std::string> reason_names(std::uint64_t reasons);

}  // namespace kernelgate::gpu
