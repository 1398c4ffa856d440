// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads what libkernelgate_device_clock.so wrote beside a program under measurement. The program may have written the
// files itself: size, number and every figure are bounded.

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/decision/evidence/device_times.hpp"
#include "core/units/result.hpp"
#include "runner/sandbox/sandbox.hpp"

namespace kernelgate::gpu {

inline constexpr std::string_view kDeviceClockLibrary = "libkernelgate_device_clock.so";

// What a job needs so that CUDA loads the library into its program and the files land in `folder`, which the program's
// user must be able to write.
void add_device_clock(const std::filesystem::path& library, const std::filesystem::path& folder,
                      std::vector<Mount>& mounts, std::vector<std::pair<std::string, std::string>>& env);

struct DeviceRecord {
  std::string refused{};  // why CUPTI gave nothing on this machine; empty: it did
  std::vector<KernelTime> kernels{};
};

// Of one process: docs/GPU_RUNNER.md has the format. `iterations`: of the benchmark, as its suite states them. Copies
// from and to the host are left out. Pure.
[[nodiscard]] Result<DeviceRecord> parse_device_times(std::string_view text, double iterations,
                                                      const std::string& origin);

// Of all processes that left a file in the folder.
[[nodiscard]] Result<DeviceRecord> read_device_times(const std::filesystem::path& folder, double iterations);

}  // namespace kernelgate::gpu
