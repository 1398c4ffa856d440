// SPDX-License-Identifier: Apache-2.0
#pragma once

// The facts of this machine that make times comparable. NVML is loaded at run time; without it or without a device this
// is a CPU testbed, and the GPU facts are empty. Reads only.

#include <string>
#include <utility>
#include <vector>

#include "core/wire/messages.hpp"

namespace kernelgate {

struct MachineFacts {
  wire::TestbedFacts testbed;
  bool has_gpu = false;
  std::string text;  // one line for people
  // Makes a program see this GPU alone; empty where the machine has one GPU or none.
  std::vector<std::pair<std::string, std::string>> environment{};
};

[[nodiscard]] MachineFacts read_machine_facts(const std::string& testbed_name, int gpu_index = 0);

// "13.0" from what `nvcc --version` prints; the model's name from /proc/cpuinfo. Empty if there is none.
[[nodiscard]] std::string parse_nvcc_version(const std::string& text);
[[nodiscard]] std::string parse_cpu_model(const std::string& cpuinfo);

}  // namespace kernelgate
