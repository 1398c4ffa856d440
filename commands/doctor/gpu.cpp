// SPDX-License-Identifier: Apache-2.0
#include "commands/doctor/gpu.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <utility>

#include "core/units/limits.hpp"
#include "platform/process/scratch_folder.hpp"
#include "runner/code/profile.hpp"
#include "runner/gpu/admission.hpp"
#include "runner/gpu/device_times.hpp"
#include "runner/gpu/sanitizer.hpp"

namespace kernelgate::doctor {
namespace {

constexpr const char* kCounter = "sm__cycles_elapsed.max";

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
}

class GpuTrial {
 public:
  GpuTrial(const Sandbox& sandbox, const GpuTools& tools) : sandbox_(sandbox), tools_(tools) {
    if (!tools.health.empty()) mounts_ = {{tools.health.parent_path(), std::string(kInsideBuild), false}};
    for (Mount& mount : gpu::profiler_mounts(sandbox)) mounts_.push_back(std::move(mount));
  }

  [[nodiscard]] Finding cuda() const {
    Finding out{.topic = "CUDA in the sandbox"};
    if (tools_.health.empty()) return not_tried(out);
    const auto ended = run({program()});
    if (!ended || !ended->ok())
      return failed(out, ended, "let the sandbox's user open /dev/nvidia*, and look at the driver's log");
    out.text = "kg_probe_health computes, " + std::string(to_string(sandbox_.mode()));
    return out;
  }

  [[nodiscard]] Finding profiler() const {
    Finding out{.topic = "ncu in the sandbox"};
    const auto version = run({tools_.ncu, "--version"});
    if (!version || !version->ok()) {
      out.grade = Grade::warning;
      out.text = "not found";
      out.fix = "install Nsight Compute under /usr: regressions are then explained by counters";
      return out;
    }
    out.text = last_line(version->out);
    if (tools_.health.empty()) return not_tried(out);
    const auto read =
        run({tools_.ncu, "--clock-control", "none", "--metrics", kCounter, "--launch-count", "1", program()});
    if (!read || !read->ok() || read->out.find(kCounter) == std::string::npos)
      return failed(out, read, "let users read counters: driver option NVreg_RestrictProfilingToAdminUsers=0");
    out.text += "; counters can be read";
    return out;
  }

  [[nodiscard]] Finding sanitizer() const {
    Finding out{.topic = "sanitizer in sandbox"};
    if (tools_.sanitizer.empty()) {
      out.grade = Grade::warning;
      out.text = "not found";
      out.fix = "install compute-sanitizer: crashes then name kernel, line and thread";
      return out;
    }
    out.text = tools_.sanitizer.string();
    if (tools_.health.empty()) return not_tried(out);
    gpu::SanitizerJob job;
    job.program = tools_.sanitizer;
    job.argv = {program()};
    job.mounts = mounts_;
    const auto report = gpu::run_sanitizer(sandbox_, job, {});
    const std::string said = report ? gpu::describe("memcheck", *report) : to_string(report.error());
    out.text += "; " + said;
    if (report && report->complete && report->errors == 0 && report->trouble.empty()) return out;
    out.grade = Grade::warning;
    out.fix = "install a compute-sanitizer of the driver's version, under /usr";
    return out;
  }

  [[nodiscard]] Finding device_clock() const {
    Finding out{.topic = "device's own clock"};
    if (tools_.device_clock.empty()) {
      out.grade = Grade::warning;
      out.text = "not found: suites are judged by the host's times alone";
      out.fix =
          "build kernels/device_clock where CUPTI's headers are and put the library beside kernelgate, or name its "
          "folder with --probe-dir";
      return out;
    }
    if (tools_.health.empty()) return not_tried(out);
    const ScratchFolder folder("device-clock");
    std::vector<Mount> mounts = mounts_;
    std::vector<std::pair<std::string, std::string>> env;
    gpu::add_device_clock(tools_.device_clock, folder.path(), mounts, env);
    if (auto given = sandbox_.hand_over(folder.path()); !given) return failed(out, pass_on(given), {});
    const auto ended = run({program()}, mounts, env);
    if (!ended || !ended->ok()) return failed(out, ended, "look at the first line: CUDA itself does not work");
    const auto read = gpu::read_device_times(folder.path(), 1);
    std::string why = !read ? kernelgate::to_string(read.error()) : read->refused;
    if (why.empty() && read->kernels.empty()) why = "CUDA did not load " + tools_.device_clock.filename().string();
    if (why.empty()) {
      out.text = "times kernels";
      return out;
    }
    out.grade = Grade::warning;
    out.text = "does not work: " + why;
    out.fix = "install the toolkit's cuda-cupti package, of the driver's version or older";
    return out;
  }

 private:
  [[nodiscard]] std::string program() const {
    const std::string inside = std::string(kInsideBuild) + "/" + tools_.health.filename().string();
    return sandbox_.locate(mounts_, inside);
  }

  [[nodiscard]] Result<ProcessResult> run(const std::vector<std::string>& argv) const { return run(argv, mounts_, {}); }

  [[nodiscard]] Result<ProcessResult> run(const std::vector<std::string>& argv, const std::vector<Mount>& mounts,
                                          const std::vector<std::pair<std::string, std::string>>& env) const {
    SandboxJob job;
    job.argv = argv;
    job.mounts = mounts;
    job.env = env;
    if (tools_.health.empty()) job.cwd = "/tmp";
    job.gpu = true;
    ProcessSpec how;
    how.timeout = limits::kGpuProbeTimeout;
    how.merge_stderr = true;
    return sandbox_.run(job, how);
  }

  static Finding not_tried(Finding out) {
    out.grade = Grade::warning;
    out.text += std::string(out.text.empty() ? "" : "; ") + "not tried: there is no kg_probe_health";
    out.fix = "build kernels/probe with nvcc and put it beside kernelgate, or name its folder with --probe-dir";
    return out;
  }

  static Finding failed(Finding out, const Result<ProcessResult>& ended, std::string fix) {
    const std::string why =
        ended ? describe_end(*ended) + ": " + last_line(ended->out) : kernelgate::to_string(ended.error());
    out.grade = Grade::warning;
    out.text += (out.text.empty() ? "does not work: " : "; does not work: ") + why;
    out.fix = std::move(fix);
    return out;
  }

  const Sandbox& sandbox_;
  const GpuTools& tools_;
  std::vector<Mount> mounts_;
};

std::string figure(const char* format, const std::optional<double>& value) {
  return value ? fmt::format(fmt::runtime(format), *value) : std::string();
}

}  // namespace

Finding find_gpu_state(gpu::Gpu& gpu) {
  const gpu::GpuReading reading = gpu.read();
  gpu::GpuUsers users;
  if (const auto listed = gpu.processes()) users = gpu::sort_users(*listed, 0, getpid());
  std::vector<std::string> parts{figure("{:.0f} MHz", reading.sm_mhz), figure("{:.0f} °C", reading.temperature_c),
                                 figure("{:.0f} W", reading.power_w)};
  if (reading.reasons) {
    const auto names = gpu::reason_names(*reading.reasons);
    if (!names.empty()) parts.push_back(fmt::format("clock held by {}", fmt::join(names, ", ")));
  }
  std::erase(parts, std::string());
  std::vector<std::string> blind;
  if (!reading.reasons) blind.emplace_back("throttle reasons");
  if (!reading.ecc_uncorrected) blind.emplace_back("memory errors");
  if (!users.known) blind.emplace_back("other processes");
  if (!gpu.take_errors()) blind.emplace_back("Xid");
  if (!blind.empty()) parts.push_back(fmt::format("not readable: {}", fmt::join(blind, ", ")));
  Finding out{.topic = "GPU's state", .text = fmt::format("{}", fmt::join(parts, ", "))};
  const std::string obstacle = gpu::obstacle(gpu.facts(), reading, users, false);
  if (obstacle.empty()) return out;
  out.grade = Grade::warning;
  out.text += "; a pair would wait: " + obstacle;
  out.fix = "free the GPU: each pair waits up to two minutes for it";
  return out;
}

std::vector<Finding> try_gpu(const Sandbox& sandbox, const GpuTools& tools) {
  const GpuTrial trial(sandbox, tools);
  return {trial.cuda(), trial.profiler(), trial.sanitizer(), trial.device_clock()};
}

}  // namespace kernelgate::doctor
