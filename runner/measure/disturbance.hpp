// SPDX-License-Identifier: Apache-2.0
#pragma once

// The seam through which a device says whether it was disturbed while a process ran: slowed down by heat or power, an
// error of the card, a foreign process. On a CPU testbed nothing is ever disturbed.

#include <string>

namespace kernelgate {

struct DeviceWindow {
  bool disturbed = false;
  std::string disturbance;        // what, in words
  std::string state_json = "{}";  // clocks, temperature, power, …
};

struct DisturbanceProbe {
  virtual ~DisturbanceProbe() = default;
  virtual void process_starts() = 0;
  virtual DeviceWindow process_ended() = 0;
};

struct CpuProbe final : DisturbanceProbe {
  void process_starts() override {}
  DeviceWindow process_ended() override { return {}; }
};

}  // namespace kernelgate
