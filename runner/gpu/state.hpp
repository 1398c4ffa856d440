// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a GPU went through while one process ran, and whether that disturbed it. Pure: readings in, words out.

#include <optional>
#include <string>
#include <vector>

#include "runner/gpu/nvml.hpp"
#include "runner/gpu/users.hpp"

namespace kernelgate::gpu {

struct GpuWindow {
  GpuReading before, after;
  std::vector<GpuReading> during;               // may be empty: the process was short
  std::optional<std::vector<unsigned>> errors;  // Xid; empty: not readable here
  GpuUsers users;                               // the moment with the most foreign processes
};

// What disturbed the process, in words; empty: nothing. Heat, the power brake and other slowdowns by the hardware, an
// error of the GPU, a foreign process. Never the software's power cap and never a clock: those may be effects of the
// code that ran. Errors that a kernel causes by itself are that kernel's own.
[[nodiscard]] std::string disturbance_of(const GpuWindow& window);

// Whether a kernel of this process can have caused the error (a bad address, an assert, a hang that was killed).
[[nodiscard]] bool is_kernels_own(unsigned xid);

// Median SM clock while the GPU worked: of the readings above half of the highest, since the start of a process idles.
[[nodiscard]] std::optional<double> loaded_clock_mhz(const GpuWindow& window);

// The document that is stored with the process (docs/WIRE.md, "Device state"). A price of 0 is not known.
[[nodiscard]] std::string state_json(const GpuFacts& gpu, const GpuWindow& window, double price_per_hour = 0);

}  // namespace kernelgate::gpu
