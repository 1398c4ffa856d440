// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/limit_checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/units/limits.hpp"

namespace kernelgate::suite {

Status check_name(const std::string& name, const std::string& origin) {
  if (name.empty()) return fail(Errc::corrupt, "a row of \"benchmarks\" has no name", origin);
  if (name.size() > limits::kBenchmarkNameMax)
    return fail(
        Errc::too_large,
        fmt::format("a benchmark's name is longer than {} bytes: {}", limits::kBenchmarkNameMax, name.substr(0, 80)),
        origin);
  return {};
}

Status check_room(std::size_t benchmarks, const std::string& origin) {
  if (benchmarks >= static_cast<std::size_t>(limits::kBenchmarksPerSuiteMax))
    return fail(Errc::too_large, fmt::format("more than {} benchmarks in one suite", limits::kBenchmarksPerSuiteMax),
                origin);
  return {};
}

Status check_samples(std::size_t samples, const std::string& benchmark, const std::string& origin) {
  if (samples > static_cast<std::size_t>(limits::kSamplesPerSeriesMax))
    return fail(Errc::too_large, fmt::format("more than {} repetitions of {}", limits::kSamplesPerSeriesMax, benchmark),
                origin);
  return {};
}

std::string wrong_time(double ns) {
  if (!std::isfinite(ns) || ns <= 0) return "is not a positive number";
  if (ns > limits::kIterationNsMax) return fmt::format("of {:.3g} ns is over a day", ns);
  if (ns < limits::kIterationNsMin)
    return fmt::format("of {:.3g} ns is below {:g} ns, which nothing takes", ns, limits::kIterationNsMin);
  return {};
}

}  // namespace kernelgate::suite
