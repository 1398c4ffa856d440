// SPDX-License-Identifier: Apache-2.0
#include "runner/testbed/testbed.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <sstream>

#include "platform/process/process.hpp"
#include "runner/gpu/nvml.hpp"

namespace kernelgate {
namespace {

std::string toolkit_version() {
  ProcessSpec spec;
  spec.argv = {"nvcc", "--version"};
  spec.env = {"PATH=/usr/local/cuda/bin:/usr/local/bin:/usr/bin:/bin"};
  const auto result = run_process(spec);
  return result && result->ok() ? parse_nvcc_version(result->out) : std::string();
}

}  // namespace

std::string parse_nvcc_version(const std::string& text) {
  constexpr std::string_view mark = "release ";
  const auto at = text.find(mark);
  if (at == std::string::npos) return {};
  const auto start = at + mark.size();
  return text.substr(start, text.find_first_of(",\n", start) - start);
}

std::string parse_cpu_model(const std::string& cpuinfo) {
  std::istringstream lines(cpuinfo);
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos) continue;
    // x86 states the model's name; ARM states numbers, of which the part is the most telling.
    const auto key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    if (key == "model name" || key == "CPU part") names.insert(line.substr(colon + 2));
  }
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : " + ") + name;
  return out;
}

MachineFacts read_machine_facts(const std::string& testbed_name, int gpu_index) {
  MachineFacts facts;
  facts.testbed.name = testbed_name;
  std::ifstream file("/proc/cpuinfo");
  std::stringstream cpuinfo;
  cpuinfo << file.rdbuf();
  facts.testbed.host_cpu = parse_cpu_model(cpuinfo.str());
  utsname system{};
  if (facts.testbed.host_cpu.empty() && uname(&system) == 0) facts.testbed.host_cpu = system.machine;
  facts.testbed.host_cpu += " x " + std::to_string(sysconf(_SC_NPROCESSORS_ONLN));
  facts.testbed.toolkit = toolkit_version();

  const auto gpu = gpu::Gpu::open(gpu_index);
  facts.has_gpu = gpu.has_value();
  if (gpu) {
    const gpu::GpuFacts seen = gpu->facts();
    facts.testbed.gpu_model = seen.model;
    facts.testbed.compute_capability = seen.compute_capability;
    facts.testbed.driver = seen.driver;
    facts.testbed.power_limit = seen.power_limit;
    facts.testbed.mig_mode = seen.mig_mode;
    facts.environment = gpu::gpu_environment(*gpu);
    facts.text = seen.model + ", driver " + seen.driver + ", " + seen.power_limit + "; " + facts.testbed.host_cpu;
  } else {
    facts.text = "CPU testbed (" + gpu.error().what + "): " + facts.testbed.host_cpu;
  }
  return facts;
}

}  // namespace kernelgate
