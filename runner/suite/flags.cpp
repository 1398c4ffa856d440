// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/units/limits.hpp"

namespace kernelgate::suite {
namespace {

constexpr double kWarmUpMs = 50;
constexpr double kLongRepetitionMs = 50;
constexpr int kDroppedMost = 100;

std::string escape(std::string_view name) {
  constexpr std::string_view kSpecials = ".[\\()*+?{|^$";
  std::string out;
  for (const char c : name) {
    if (kSpecials.find(c) != kSpecials.npos) out += '\\';
    out += c;
  }
  return out;
}

// Fixed notation: no version reads an exponent in "5e-04s".
std::string min_time_flag(MinTime spelling, double sample_ms) {
  const std::string seconds = fmt::format("{:.6f}", sample_ms / 1e3);
  return "--benchmark_min_time=" + seconds + (spelling == MinTime::suffixed ? "s" : "");
}

}  // namespace

std::vector<std::string> start_flags(const StartFlags& start) {
  std::vector<std::string> flags{"--benchmark_out=" + start.out, "--benchmark_out_format=json",
                                 fmt::format("--benchmark_repetitions={}", start.repetitions)};
  if (start.min_time != MinTime::absent) flags.push_back(min_time_flag(start.min_time, start.sample_ms));
  if (!start.benchmarks.empty()) flags.push_back("--benchmark_filter=" + exact_filter(start.benchmarks));
  return flags;
}

std::vector<std::string> list_flags(MinTime min_time, double sample_ms) {
  std::vector<std::string> flags{"--benchmark_list_tests=true"};
  if (min_time != MinTime::absent) flags.push_back(min_time_flag(min_time, sample_ms));
  return flags;
}

std::string exact_filter(const std::vector<std::string>& benchmarks) {
  std::string out = "^(";
  for (const auto& name : benchmarks) {
    if (out.size() > 2) out += '|';
    out += escape(name);
  }
  return out + ")$";
}

std::vector<std::vector<std::string>> split_for_filter(const std::vector<std::string>& benchmarks) {
  std::vector<std::vector<std::string>> parts;
  std::size_t size = 0;
  for (const auto& name : benchmarks) {
    const std::size_t more = escape(name).size() + 1;
    if (parts.empty() || size + more > limits::kFilterMax) {
      parts.emplace_back();
      size = 0;
    }
    parts.back().push_back(name);
    size += more;
  }
  return parts;
}

RepetitionPlan plan_repetitions(double sample_ms, std::size_t benchmarks, double longest_ms) {
  RepetitionPlan plan;
  const double each_ms = std::max(longest_ms, sample_ms) * static_cast<double>(std::max<std::size_t>(benchmarks, 1));
  plan.dropped = std::clamp(static_cast<int>(std::ceil(kWarmUpMs / each_ms)), 3, kDroppedMost);
  if (longest_ms > kLongRepetitionMs) plan.timed = 5;
  return plan;
}

}  // namespace kernelgate::suite
