// SPDX-License-Identifier: Apache-2.0
#include "runner/build/stages.hpp"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "core/units/limits.hpp"
#include "platform/files/tree_size.hpp"
#include "platform/process/command_line.hpp"
#include "runner/build/entry.hpp"
#include "runner/build/shell_line.hpp"

namespace kernelgate::build_detail {
namespace {

using SteadyClock = std::chrono::steady_clock;

// What a script or make says of a command that is not there. It chooses only whether help is printed.
bool says_not_found(std::string_view log) {
  if (log.size() > limits::kFailureTextMax) log.remove_prefix(log.size() - limits::kFailureTextMax);
  return log.find(": not found") != log.npos || log.find("command not found") != log.npos ||
         log.find("Error 127") != log.npos;
}

std::string tail(const std::string& log) {
  constexpr std::size_t kShown = 1000;
  const auto text = log.substr(0, log.find_last_not_of("\n ") + 1);
  return text.size() <= kShown ? text : "…" + text.substr(text.size() - kShown);
}

std::vector<std::pair<std::string, std::string>> environment(const Sandbox& sandbox, const StagePlan& plan) {
  const auto jobs = std::to_string(plan.jobs);
  std::vector<std::pair<std::string, std::string>> env{
      {"CMAKE_BUILD_PARALLEL_LEVEL", jobs},
      {"MAKEFLAGS", "-j" + jobs},
      {"SOURCE_DATE_EPOCH", "1577836800"},  // __DATE__ and __TIME__ must not tell two builds apart
  };
  const auto ccache = environment_of(plan.ccache, sandbox);
  env.insert(env.end(), ccache.begin(), ccache.end());
  return env;
}

}  // namespace

std::optional<Error> not_the_commits_fault(const std::string& stage, const ProcessResult& result, const Disk& disk) {
  const auto error = [&](Errc code, const std::string& what, const char* fix) {
    return Error{code, stage + " stage: " + what + "; its last lines: " + tail(result.out), "", fix};
  };
  if (result.cancelled) return Error{Errc::unavailable, stage + " stage: stopped", "", ""};
  if (disk.is_full() && !disk.filled_by_the_build())
    return error(Errc::io, "the disk is full", "make room for the build cache");
  if (!result.over_limit.empty()) return std::nullopt;
  if (stage == "fetch") return error(Errc::unavailable, describe_end(result), "check the network and the fetch line");
  return std::nullopt;
}

bool may_end_otherwise(const ProcessResult& result, const Disk& disk) {
  return result.timed_out || !result.over_limit.empty() || result.signal == SIGKILL || is_tool_missing(result) ||
         disk.is_full();
}

bool Disk::is_full() const { return ran_out || free_bytes < limits::kDiskFullBelow.value; }
bool Disk::filled_by_the_build() const { return free_before / 2 <= written_bytes; }

namespace {

// What a file without a name held is free again once the stage has ended.
Disk disk_after(const StagePlan& plan, const TreeQuota& quota, std::uint64_t free_before) {
  Disk out{.free_before = free_before,
           .free_bytes = free_bytes_of(plan.build),
           .written_bytes = size_of_tree(plan.source) + size_of_tree(plan.build),
           .ran_out = quota.disk_ran_out()};
  if (out.ran_out && out.free_bytes > quota.free_at_end()) out.written_bytes += out.free_bytes - quota.free_at_end();
  return out;
}

}  // namespace

Result<StageOutcome> run_stages(const Sandbox& sandbox, const StagePlan& plan, const std::stop_token& stop) {
  SandboxJob job;
  job.mounts = {{plan.source, std::string(kInsideSource), true}, {plan.build, std::string(kInsideBuild), true}};
  const auto ccache = mounts_of(plan.ccache);
  job.mounts.insert(job.mounts.end(), ccache.begin(), ccache.end());
  job.cwd = kInsideSource;
  job.env = environment(sandbox, plan);
  job.gpu = plan.gpu;

  const auto& recipe = *plan.recipe;
  const auto deadline = SteadyClock::now() + recipe.timeout;
  const std::uint64_t free_before = free_bytes_of(plan.build);
  TreeQuota quota({plan.source, plan.build}, plan.tree_max);
  if (!plan.ccache.own.empty()) quota = TreeQuota({plan.source, plan.build, plan.ccache.own}, plan.tree_max);
  StageOutcome outcome;
  for (const auto& [stage, line] : {std::pair<std::string, std::string>{"fetch", recipe.fetch},
                                    {"configure", recipe.configure},
                                    {"build", recipe.build}}) {
    if (line.empty()) continue;
    const auto command = shell_line(recipe.setting, line, sandbox.locate(job.mounts, kInsideSource),
                                    sandbox.locate(job.mounts, kInsideBuild));
    if (!command) return pass_on(command);
    job.argv = shell_argv(command->text());
    job.network = stage == "fetch";
    job.proxies = job.network && plan.is_trusted;
    ProcessSpec how;
    how.merge_stderr = true;
    how.watch = [&quota](pid_t) { return quota.look(); };
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
    how.timeout = std::max(left, std::chrono::milliseconds(1));
    if (stage == "fetch") how.timeout = std::min<std::chrono::milliseconds>(how.timeout, limits::kFetchTimeout);
    const auto result = sandbox.run(job, how, stop);
    if (!result) return pass_on(result);
    outcome.log += "$ " + command->command + "\n" + result->out;
    if (result->ok()) continue;
    const Disk disk = disk_after(plan, quota, free_before);
    if (auto ours = not_the_commits_fault(stage, *result, disk)) return tl::unexpected(*ours);
    outcome.log +=
        "\n" + stage + " failed: " + describe_end(*result) + (disk.is_full() ? ", the disk is full" : "") + "\n";
    outcome.failed_stage = stage;
    outcome.tool_missing = is_tool_missing(*result);
    if (outcome.tool_missing || says_not_found(result->out))
      if (const std::string help = sandbox.where_tools_are(); !help.empty()) outcome.log += help + "\n";
    outcome.may_end_otherwise = may_end_otherwise(*result, disk);
    return outcome;
  }
  return outcome;
}

Result<std::string> describe_toolchain(const Sandbox& sandbox) {
  // Of each folder of the toolchain too: a manifest may name any of them first. Packages of Python stand for what a
  // virtual environment holds.
  constexpr const char* kScript =
      "t='cc c++ gcc g++ clang clang++ nvcc ld mold cmake ninja make python3'; "
      "say() { echo \"$1 $2\" && \"$2\" --version 2>&1 | grep -v '^$' | head -n 4; }; "
      "for n in $t; do p=$(command -v $n) && say $n \"$p\"; done; "
      "for d in \"$@\"; do for n in $t; do [ -x \"$d/$n\" ] && say $n \"$d/$n\"; done; "
      "for p in \"${d%/bin}\"/lib/python3*/site-packages/*.dist-info; do [ -e \"$p\" ] && echo \"$p\"; done; done; "
      "exit 0";
  SandboxJob job{.argv = {"/bin/sh", "-c", kScript, "sh"}, .cwd = "/tmp"};
  for (const std::string& folder : sandbox.toolchain().path)
    if (!is_system_folder(folder)) job.argv.push_back(folder);
  const auto result = sandbox.run(job, {});
  if (!result) return pass_on(result);
  if (!result->ok())
    return fail(Errc::unavailable, "cannot ask for the toolchain's versions: " + describe_end(*result));
  return result->out;
}

}  // namespace kernelgate::build_detail
