// SPDX-License-Identifier: Apache-2.0
#include "commands/calibrate/probe_repository.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <fstream>
#include <utility>

#include "platform/process/process.hpp"
#include "service/baselines/calibrations.hpp"

namespace kernelgate::local {
namespace {

namespace fs = std::filesystem;

// A build sees no GPU, so its architecture is named.
std::string compiler_for(const std::string& compute) {
  if (compute.empty()) return "c++ -O2 -std=c++17";
  std::string architecture = compute;
  std::erase(architecture, '.');
  return "nvcc -O2 -std=c++17 -arch=sm_" + architecture + " -x cu";
}

std::string manifest_of(const Policy& policy, const std::string& compute) {
  return fmt::format(
      "schema = 1\n[build]\nbuild = \"{} -DKG_INJECTED=$(cat {{source}}/injected) {{source}}/probe.cpp -o "
      "{{build}}/probe\"\n[[suite]]\nname = \"{}\"\nrun = \"{{build}}/probe\"\n{}[policy]\ntolerate = {}\ncatch = {}\n"
      "max_pairs = {}\n",
      compiler_for(compute), service::kCalibrationSuite, compute.empty() ? "" : "requires = { gpu = true }\n",
      policy.tolerate, policy.catch_limit, policy.max_pairs);
}

Status write(const fs::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  return out ? Status{} : Status(fail(Errc::io, "cannot be written", file.string()));
}

}  // namespace

ProbeRepository::ProbeRepository(ProbeRepository&& other) noexcept
    : folder_(std::exchange(other.folder_, {})), git_(std::move(other.git_)) {}

ProbeRepository::~ProbeRepository() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

Status ProbeRepository::call_git(const std::vector<std::string>& args) const {
  ProcessSpec spec;
  spec.argv = {"git", "-C", folder_.string()};
  spec.argv.insert(spec.argv.end(), args.begin(), args.end());
  spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin",
              "HOME=/nonexistent",
              "GIT_CONFIG_GLOBAL=/dev/null",
              "GIT_CONFIG_NOSYSTEM=1",
              "GIT_AUTHOR_NAME=kernelgate",
              "GIT_AUTHOR_EMAIL=kernelgate@localhost",
              "GIT_COMMITTER_NAME=kernelgate",
              "GIT_COMMITTER_EMAIL=kernelgate@localhost",
              "GIT_AUTHOR_DATE=2026-01-01T00:00:00+0000",
              "GIT_COMMITTER_DATE=2026-01-01T00:00:00+0000"};
  const auto done = run_process(spec);
  if (!done) return pass_on(done);
  if (!done->ok()) return fail(Errc::io, describe_end(*done) + ": " + done->err, "git " + args.front());
  return {};
}

Result<ProbeRepository> ProbeRepository::make(const Policy& policy, const std::string& compute) {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "kernelgate-calibration-XXXXXX").string();
  if (error || mkdtemp(pattern.data()) == nullptr) return fail(Errc::io, "no temporary folder", pattern);
  ProbeRepository out{fs::path(pattern)};
  if (Status done = out.call_git({"init", "-q", "-b", "main"}); !done) return pass_on(done);
  if (Status done = write(out.folder_ / "kernelgate.toml", manifest_of(policy, compute)); !done) return pass_on(done);
  if (Status done = write(out.folder_ / "probe.cpp", probe_program()); !done) return pass_on(done);
  auto git = Git::open(out.folder_, GitConfig::isolated);
  if (!git) return pass_on(git);
  out.git_.emplace(std::move(*git));
  return out;
}

Result<CommitHash> ProbeRepository::commit(double injected) const {
  if (Status done = write(folder_ / "injected", fmt::format("{}\n", injected)); !done) return pass_on(done);
  if (Status done = call_git({"add", "-A"}); !done) return pass_on(done);
  if (Status done = call_git({"commit", "-q", "--allow-empty", "-m", fmt::format("Do {} more work", injected)}); !done)
    return pass_on(done);
  return git_->resolve("HEAD");
}

}  // namespace kernelgate::local
