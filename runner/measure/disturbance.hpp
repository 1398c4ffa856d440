// SPDX-License-Identifier: Apache-2.0
#pragma once

// The seam to the device that is measured on: who may use it, whether it was disturbed while a process ran (slowed down
// by heat or power, an error of the GPU, a foreign process), and whether it still works after a failure. On a CPU
// testbed there is nothing to wait for and nothing is ever disturbed.

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "core/units/result.hpp"

namespace kernelgate {

struct DeviceWindow {
  bool disturbed = false;
  std::string disturbance;         // what, in words
  std::string state_json = "{}";   // clocks, temperature, power, …
  std::optional<double> sm_mhz{};  // the GPU's clock while it worked
};

struct DisturbanceProbe {
  using Say = std::function<void(const std::string&)>;  // told what is waited for; may be empty

  virtual ~DisturbanceProbe() = default;
  // Takes the device for us alone, and gives it back. Errc::unavailable: it was not free in time.
  [[nodiscard]] virtual Status hold(const Say&, const std::stop_token&) { return {}; }
  virtual void let_go() {}
  // Before each pair: waits until the device is idle, cool and alone.
  [[nodiscard]] virtual Status admit(const Say&, const std::stop_token&) { return {}; }
  virtual void process_starts() = 0;
  virtual DeviceWindow process_ended() = 0;
  // After a crash or a hang, before the next process. Errc::unavailable: the device no longer works.
  [[nodiscard]] virtual Status after_failure(const std::stop_token&) { return {}; }
  // Why the device cannot be measured on now; empty: it can.
  [[nodiscard]] virtual std::string trouble() const { return {}; }
  // Asks a device in trouble whether it can be measured on again.
  [[nodiscard]] virtual bool recovered(const std::stop_token&) { return true; }
};

class CpuProbe final : public DisturbanceProbe {
 public:
  explicit CpuProbe(double price_per_hour = 0) : price_per_hour_(price_per_hour) {}  // 0: not known
  void process_starts() override {}
  DeviceWindow process_ended() override {
    DeviceWindow out;
    if (price_per_hour_ > 0) out.state_json = "{\"price_per_hour\":" + std::to_string(price_per_hour_) + "}";
    return out;
  }

 private:
  double price_per_hour_;
};

}  // namespace kernelgate
