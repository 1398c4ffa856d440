// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/health.hpp"

#include <unistd.h>

#include "core/units/limits.hpp"
#include "platform/process/process.hpp"

namespace kernelgate::gpu {

namespace fs = std::filesystem;

fs::path find_probe(std::string_view name, const fs::path& folder) {
  std::error_code error;
  const fs::path place = folder.empty() ? fs::read_symlink("/proc/self/exe", error).parent_path() : folder;
  const fs::path program = place / name;
  return !program.empty() && access(program.c_str(), X_OK) == 0 ? program : fs::path();
}

Result<Health> check_health(const Gpu& gpu, const fs::path& program, const std::stop_token& stop) {
  if (const auto answer = gpu.answers(); !answer) return Health{false, answer.error().what};
  if (program.empty())
    return Health{true, "the driver reaches the GPU; no " + std::string(kHealthProgram) + " to compute on it"};
  ProcessSpec spec;
  spec.argv = {program.string()};
  spec.env = {"PATH=/usr/local/cuda/bin:/usr/local/bin:/usr/bin:/bin"};
  for (const auto& [name, value] : gpu_environment(gpu)) spec.env.push_back(name + "=" + value);
  spec.merge_stderr = true;
  spec.timeout = limits::kGpuProbeTimeout;
  const auto ended = run_process(spec, stop);
  if (!ended) return Health{false, program.filename().string() + " did not start: " + ended.error().what};
  if (ended->cancelled) return fail(Errc::conflict, "stopped while the GPU was probed");
  if (ended->ok()) return Health{true, program.filename().string() + ": the GPU computes"};
  const std::string said = ended->out.substr(0, ended->out.find('\n'));
  return Health{false, program.filename().string() + ": " + describe_end(*ended) + (said.empty() ? "" : ": " + said)};
}

}  // namespace kernelgate::gpu
