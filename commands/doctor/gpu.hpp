// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether suites, the profiler and the sanitizer work on this machine's GPU from inside the sandbox, as the plain user
// that commits run as. Each is tried, not looked up. Used by commands/doctor only.

#include <filesystem>
#include <string>
#include <vector>

#include "commands/doctor/doctor.hpp"
#include "runner/gpu/nvml.hpp"
#include "runner/sandbox/sandbox.hpp"

namespace kernelgate::doctor {

struct GpuTools {
  std::filesystem::path health;          // kg_probe_health; empty: not there
  std::string ncu = "ncu";               // looked for inside the sandbox
  std::filesystem::path sanitizer;       // compute-sanitizer; empty: not there
  std::filesystem::path device_clock{};  // libkernelgate_device_clock.so; empty: not there
};

// What a pair would find on the GPU now, and which of its figures can be read here.
[[nodiscard]] Finding find_gpu_state(gpu::Gpu& gpu);

// CUDA, ncu with a counter, compute-sanitizer, the device's clock: one finding each.
[[nodiscard]] std::vector<Finding> try_gpu(const Sandbox& sandbox, const GpuTools& tools);

}  // namespace kernelgate::doctor
