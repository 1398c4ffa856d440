// SPDX-License-Identifier: Apache-2.0
#include "commands/doctor/doctor.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "commands/doctor/gpu.hpp"
#include "commands/doctor/machine.hpp"
#include "core/manifest/manifest.hpp"
#include "core/units/limits.hpp"
#include "runner/gpu/device_times.hpp"
#include "runner/gpu/health.hpp"
#include "runner/gpu/sanitizer.hpp"
#include "runner/sandbox/sandbox.hpp"
#include "runner/testbed/needs.hpp"
#include "runner/testbed/testbed.hpp"

namespace kernelgate::doctor {
namespace {

namespace fs = std::filesystem;

Finding find_sandbox() {
  const SandboxProbe probe = Sandbox::probe({});
  Finding out{.topic = "sandbox", .text = probe.text};
  if (!probe.works) {
    out.grade = Grade::missing;
    out.fix = "no runner starts without it; --no-sandbox runs commits without walls";
  }
  return out;
}

// The rest of the walls, as programs meet them inside.
std::vector<Finding> find_walls() {
  const auto sandbox = Sandbox::open({});
  if (!sandbox) return {};  // its own finding says why
  Finding filter{.topic = "system calls", .text = "filtered"};
  const auto inside = sandbox->run({.argv = {"grep", "-q", "^Seccomp:.2$", "/proc/self/status"}, .cwd = "/tmp"}, {});
  if (!inside || !inside->ok())
    filter = {
        .topic = "system calls", .grade = Grade::missing, .text = "not filtered", .fix = "use a kernel with seccomp"};
  Finding memory{.topic = "memory wall", .text = sandbox->memory_wall()};
  if (!sandbox->has_groups()) memory.grade = Grade::warning;
  return {std::move(filter), std::move(memory)};
}

Finding find_gpu(const MachineFacts& facts) {
  if (facts.has_gpu) return {.topic = "GPU", .text = facts.text};
  return {.topic = "GPU",
          .grade = Grade::warning,
          .text = facts.text,
          .fix = "suites that require a GPU are not measured here; CUDA, ncu and compute-sanitizer were not tried"};
}

std::string path_of(const Request& request) {
  if (!request.path.empty()) return request.path;
  const char* ours = std::getenv("PATH");
  return ours ? ours : "/usr/local/bin:/usr/bin:/bin";
}

void try_tools_on_gpu(const Request& request, const MachineFacts& facts, std::vector<Finding>& out) {
  if (!facts.has_gpu) return;
  if (auto gpu = gpu::Gpu::open(request.gpu)) out.push_back(find_gpu_state(*gpu));
  const auto sandbox = Sandbox::open({.env = facts.environment});
  if (!sandbox) return;  // its own finding says why
  GpuTools tools;
  tools.health = gpu::find_probe(gpu::kHealthProgram, request.probe_folder);
  tools.sanitizer = gpu::find_sanitizer(path_of(request));
  tools.device_clock = gpu::find_probe(gpu::kDeviceClockLibrary, request.probe_folder);
  for (auto& finding : try_gpu(*sandbox, tools)) out.push_back(std::move(finding));
}

Finding suite_finding(const SuiteSpec& suite, const MachineFacts& facts) {
  Finding out{.topic = suite.name, .text = "can be measured here"};
  if (suite.check.empty()) out.text += "; no check: its numbers are not proven before it is timed";
  const std::string reason = unmet_needs(suite, facts);
  if (!reason.empty())
    out = {.topic = suite.name, .grade = Grade::warning, .text = "not here: " + reason, .fix = "use another runner"};
  return out;
}

ManifestFindings read_manifest(const fs::path& file, const MachineFacts& facts) {
  std::ifstream in(file, std::ios::binary);
  std::string text(limits::kManifestMax.value + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  ManifestFindings out{.file = file.string(), .errors = {}, .suites = {}};
  const Result<Manifest> manifest = parse_manifest(text, file.string());
  if (!manifest) {
    std::istringstream lines(kernelgate::to_string(manifest.error()));
    for (std::string line; std::getline(lines, line);) out.errors.push_back(line);
    return out;
  }
  for (const SuiteSpec& suite : manifest->suites) out.suites.push_back(suite_finding(suite, facts));
  return out;
}

// The manifest at the root of the work tree that holds `folder`, if there is one.
std::optional<fs::path> manifest_near(const fs::path& folder) {
  std::error_code error;
  for (fs::path at = fs::canonical(folder, error); !error; at = at.parent_path()) {
    if (fs::is_regular_file(at / kManifestName, error)) return at / kManifestName;
    if (fs::exists(at / ".git", error) || at == at.root_path()) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Result<Diagnosis> examine(const Request& request) {
  if (!fs::is_directory(request.repo)) return fail(Errc::not_found, "no such folder", request.repo.string());
  if (request.manifest && !fs::is_regular_file(*request.manifest))
    return fail(Errc::not_found, "no such file", request.manifest->string());
  const MachineFacts facts = read_machine_facts("doctor", request.gpu);
  const fs::path& root = request.system_root;
  Diagnosis out;
  out.machine = find_tools(path_of(request));
  out.machine.push_back(find_sandbox());
  if (geteuid() != 0) out.machine.push_back(find_namespaces(root));
  for (auto& wall : find_walls()) out.machine.push_back(std::move(wall));
  out.machine.push_back(find_gpu(facts));
  try_tools_on_gpu(request, facts, out.machine);
  out.machine.push_back(find_cores(root));
  out.machine.push_back(find_load(root, static_cast<int>(std::thread::hardware_concurrency())));
  out.machine.push_back(find_memory(root));
  out.machine.push_back(find_clock_source(root));
  out.machine.push_back(find_governor(root));
  out.machine.push_back(find_disk("disk", request.repo));
  out.machine.push_back(find_disk("temporary files", fs::temp_directory_path()));
  const std::optional<fs::path> file = request.manifest ? request.manifest : manifest_near(request.repo);
  if (file) out.manifest = read_manifest(*file, facts);
  return out;
}

int exit_code(const Diagnosis& diagnosis) {
  if (diagnosis.manifest && !diagnosis.manifest->errors.empty()) return kExitBadInput;
  const auto is_missing = [](const Finding& finding) { return finding.grade == Grade::missing; };
  return std::any_of(diagnosis.machine.begin(), diagnosis.machine.end(), is_missing) ? 4 : 0;
}

}  // namespace kernelgate::doctor
