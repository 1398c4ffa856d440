// SPDX-License-Identifier: Apache-2.0
#include "runner/code/profile.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/decision/explain/counters.hpp"
#include "core/stats/summary.hpp"
#include "core/units/limits.hpp"
#include "platform/process/command_line.hpp"

namespace kernelgate::gpu {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKnownLaunches = "2000";           // set-up of many operands comes first
constexpr const char* kProfiledLaunches = "8";           // each is run again for every pass of counters
constexpr std::string_view kKitKernels = "timing_kit_";  // kernels/bench: its own, never the one under measurement
constexpr const char* kDuration = "gpu__time_duration.sum";
constexpr const char* kInstallation = "/opt/nvidia/nsight-compute";  // where the program `ncu` looks for its parts
// Few passes: no section that counts by instrumented code, which costs a second a launch.
constexpr const char* kMetrics =
    "gpu__time_duration.sum,sm__throughput.avg.pct_of_peak_sustained_elapsed,"
    "dram__throughput.avg.pct_of_peak_sustained_elapsed,dram__bytes.sum,lts__t_sector_hit_rate.pct,"
    "l1tex__t_sector_hit_rate.pct,sm__warps_active.avg.pct_of_peak_sustained_active,smsp__inst_executed.sum,"
    "sm__inst_executed_pipe_tensor.sum,sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed,"
    "sm__pipe_tma_cycles_active.avg.pct_of_peak_sustained_elapsed,l1tex__data_bank_conflicts_pipe_lsu.sum";

// The cells of one line of CSV; a quoted cell may hold commas, and two quotes for one.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '"' && quoted && at + 1 < line.size() && line[at + 1] == '"')
      out.back() += line[++at];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      out.emplace_back();
    else if (c != '\r')
      out.back() += c;
  }
  return out;
}

// "1,024" is a number too.
std::optional<double> number_of(std::string cell) {
  std::erase(cell, ',');
  if (cell.empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  if (*end != '\0' || !(value > -1e300 && value < 1e300)) return std::nullopt;
  return value;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

using Samples = std::map<std::string, std::vector<double>>;  // by metric

KernelProfile summary_of(const std::string& kernel, const Samples& samples) {
  KernelProfile out;
  out.kernel = kernel;
  for (const auto& [metric, values] : samples) out.counters[metric] = stats::median(values).value();
  return out;
}

// A share above its whole: passes of the profiler that counted different work. Half a per cent is rounding.
bool is_impossible(const std::string& metric, double value) {
  constexpr double kMost = 100.5;
  const bool is_share = metric.find("pct") != std::string::npos;
  return value < 0 || (is_share && value > kMost);
}

// A counter that is impossible once says nothing of the other launches either.
void drop_impossible(Samples& samples) {
  std::erase_if(samples, [](const auto& metric) {
    return std::any_of(metric.second.begin(), metric.second.end(),
                       [&](double value) { return is_impossible(metric.first, value); });
  });
}

double total_duration(const Samples& samples) {
  const auto found = samples.find(kDuration);
  double sum = 0;
  if (found != samples.end())
    for (const double value : found->second) sum += value;
  return sum;
}

std::string why_none(const ProcessResult& ended) {
  for (const std::string* text : {&ended.out, &ended.err})
    for (const auto line : lines_of(*text))
      if (line.find("ERR_NVGPUCTRPERM") != line.npos || line.find("ERROR") != line.npos) return std::string(line);
  return describe_end(ended);
}

}  // namespace

Result<std::vector<KernelProfile>> parse_profile(std::string_view text) {
  const auto lines = lines_of(text);
  const auto head =
      std::find_if(lines.begin(), lines.end(), [](std::string_view line) { return line.substr(0, 5) == "\"ID\","; });
  if (head == lines.end()) return fail(Errc::unsupported, "the profiler gave no table");
  const auto names = cells_of(*head);
  const auto kernel = std::find(names.begin(), names.end(), "Kernel Name") - names.begin();
  if (kernel == static_cast<std::ptrdiff_t>(names.size()))
    return fail(Errc::unsupported, "the profiler's table names no kernels");
  std::map<std::string, Samples> by_kernel;
  for (auto line = head + 1; line != lines.end(); ++line) {
    const auto cells = cells_of(*line);
    if (cells.size() != names.size() || cells[0].empty()) continue;  // the line of units has no ID
    Samples& samples = by_kernel[cells[static_cast<std::size_t>(kernel)]];
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (counter_name(names[i]))
        if (const auto value = number_of(cells[i])) samples[names[i]].push_back(*value);
  }
  for (auto& [name, samples] : by_kernel) drop_impossible(samples);
  std::vector<std::pair<double, KernelProfile>> timed;
  for (const auto& [name, samples] : by_kernel) timed.emplace_back(total_duration(samples), summary_of(name, samples));
  std::stable_sort(timed.begin(), timed.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<KernelProfile> out;
  for (auto& [duration, profile] : timed) out.push_back(std::move(profile));
  return out;
}

std::vector<Mount> profiler_mounts(const Sandbox& sandbox) {
  std::error_code error;
  if (sandbox.mode() == SandboxMode::none || !fs::is_directory(kInstallation, error)) return {};
  return {{kInstallation, kInstallation, false}};
}

namespace {

// One start of the profiler, which ends the suite as soon as it has seen what was asked for.
Result<Profile> profiled(const ProfileRequest& request, const std::vector<std::string>& asked,
                         const std::stop_token& stop) {
  SandboxJob job;
  job.mounts = request.mounts;
  for (Mount& mount : profiler_mounts(*request.sandbox)) job.mounts.push_back(std::move(mount));
  job.gpu = true;
  std::string line = shell_quote(request.ncu.string()) +
                     " --clock-control none --target-processes all --kill yes --csv --page raw --print-units base";
  for (const std::string& word : asked) line += " " + shell_quote(word);
  job.argv = shell_argv(request.before + line + " " + request.line, request.flags);
  ProcessSpec how;
  how.timeout = limits::kProfileTimeout;
  how.output_max = limits::kSuiteOutputMax;
  auto ended = request.sandbox->run(job, how, stop);
  if (!ended) return pass_on(ended);
  auto kernels = parse_profile(ended->out);
  if (!kernels || kernels->empty()) return fail(Errc::unsupported, "the profiler counted nothing: " + why_none(*ended));
  return Profile{std::move(*kernels), std::move(ended->out)};
}

}  // namespace

Result<Profile> profile_benchmark(const ProfileRequest& request, const std::stop_token& stop) {
  const auto known = profiled(
      request, {"--launch-count", kKnownLaunches, "--metrics", kDuration, "--print-kernel-base", "function"}, stop);
  if (!known) return pass_on(known);
  const auto longest = std::find_if(known->kernels.begin(), known->kernels.end(), [](const KernelProfile& one) {
    return std::string_view(one.kernel).substr(0, kKitKernels.size()) != kKitKernels;
  });
  if (longest == known->kernels.end())
    return fail(Errc::unsupported, "the profiler saw no kernel but those of the timing kit");
  return profiled(request,
                  {"--kernel-name", longest->kernel, "--launch-count", kProfiledLaunches, "--cache-control",
                   request.cold ? "all" : "none", "--section", "Occupancy", "--section", "WarpStateStats", "--section",
                   "LaunchStats", "--metrics", kMetrics},
                  stop);
}

}  // namespace kernelgate::gpu
