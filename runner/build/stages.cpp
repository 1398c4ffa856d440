// SPDX-License-Identifier: Apache-2.0
#include "runner/build/stages.hpp"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "core/units/limits.hpp"
#include "platform/process/command_line.hpp"

namespace kernelgate::build_detail {
namespace {

using SteadyClock = std::chrono::steady_clock;

bool holds(const std::string& log, std::initializer_list<std::string_view> texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](std::string_view text) { return log.find(text) != std::string::npos; });
}

std::string tail(const std::string& log) {
  constexpr std::size_t kShown = 1000;
  const auto text = log.substr(0, log.find_last_not_of("\n ") + 1);
  return text.size() <= kShown ? text : "…" + text.substr(text.size() - kShown);
}

std::vector<std::pair<std::string, std::string>> environment(const StagePlan& plan) {
  const auto jobs = std::to_string(plan.jobs);
  std::vector<std::pair<std::string, std::string>> env{
      {"CMAKE_BUILD_PARALLEL_LEVEL", jobs},
      {"MAKEFLAGS", "-j" + jobs},
      {"SOURCE_DATE_EPOCH", "1577836800"},  // __DATE__ and __TIME__ must not tell two builds apart
  };
  if (plan.ccache.empty()) return env;
  env.emplace_back("CCACHE_DIR", std::string(kInsideCcache));
  env.emplace_back("CCACHE_MAXSIZE", "5G");
  for (const char* language : {"C", "CXX", "CUDA"})
    env.emplace_back(std::string("CMAKE_") + language + "_COMPILER_LAUNCHER", "ccache");
  return env;
}

}  // namespace

std::optional<Error> not_the_commits_fault(const std::string& stage, const ProcessResult& result) {
  const auto& log = result.out;
  const auto error = [&](Errc code, const std::string& what, const char* fix) {
    return Error{code, stage + " stage: " + what + "; its last lines: " + tail(log), "", fix};
  };
  if (result.cancelled) return Error{Errc::unavailable, stage + " stage: stopped", "", ""};
  if (result.timed_out)
    return error(Errc::timed_out, describe_end(result), "raise timeout_s in [build] of the manifest");
  if (holds(log, {"No space left on device", "Disk quota exceeded"}))
    return error(Errc::io, "the disk is full", "make room for the build cache");
  const bool out_of_memory =
      result.signal == SIGKILL || holds(log, {"Killed signal terminated program", "virtual memory exhausted",
                                              "Cannot allocate memory", "out of memory allocating"});
  if (out_of_memory)
    return error(Errc::unavailable, "killed, or out of memory", "use fewer build jobs or a larger machine");
  if (stage == "fetch") return error(Errc::unavailable, describe_end(result), "check the network and the fetch line");
  return std::nullopt;
}

Result<StageOutcome> run_stages(const Sandbox& sandbox, const StagePlan& plan, const std::stop_token& stop) {
  SandboxJob job;
  job.mounts = {{plan.source, std::string(kInsideSource), true}, {plan.build, std::string(kInsideBuild), true}};
  if (!plan.ccache.empty()) job.mounts.push_back({plan.ccache, std::string(kInsideCcache), true});
  job.cwd = kInsideSource;
  job.env = environment(plan);
  job.gpu = plan.gpu;

  const auto& recipe = *plan.recipe;
  const auto deadline = SteadyClock::now() + recipe.timeout;
  StageOutcome outcome;
  for (const auto& [stage, line] : {std::pair<std::string, std::string>{"fetch", recipe.fetch},
                                    {"configure", recipe.configure},
                                    {"build", recipe.build}}) {
    if (line.empty()) continue;
    const auto command = expand(line, shell_word(sandbox.locate(job.mounts, kInsideSource)),
                                shell_word(sandbox.locate(job.mounts, kInsideBuild)));
    if (!command) return pass_on(command);
    job.argv = shell_argv(*command);
    job.network = stage == "fetch";
    ProcessSpec how;
    how.merge_stderr = true;
    how.limits.processes = limits::kStageProcessesMax;
    how.limits.file_size = limits::kStageFileMax;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
    how.timeout = std::max(left, std::chrono::milliseconds(1));
    if (stage == "fetch") how.timeout = std::min<std::chrono::milliseconds>(how.timeout, limits::kFetchTimeout);
    const auto result = sandbox.run(job, how, stop);
    if (!result) return pass_on(result);
    outcome.log += "$ " + *command + "\n" + result->out;
    if (result->ok()) continue;
    if (auto ours = not_the_commits_fault(stage, *result)) return tl::unexpected(*ours);
    outcome.log += "\n" + stage + " failed: " + describe_end(*result) + "\n";
    outcome.failed_stage = stage;
    return outcome;
  }
  return outcome;
}

Result<std::string> describe_toolchain(const Sandbox& sandbox) {
  constexpr const char* kScript =
      "for t in cc c++ gcc g++ clang clang++ nvcc ld mold cmake ninja make python3; do "
      "p=$(command -v $t) && echo \"$t $p\" && $t --version 2>&1 | grep -v '^$' | head -n 4; done; exit 0";
  const auto result = sandbox.run({.argv = shell_argv(kScript), .cwd = "/tmp"}, {});
  if (!result) return pass_on(result);
  if (!result->ok())
    return fail(Errc::unavailable, "cannot ask for the toolchain's versions: " + describe_end(*result));
  return result->out;
}

}  // namespace kernelgate::build_detail
