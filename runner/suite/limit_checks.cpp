// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/limit_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"

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

// Each value but the first stands behind one of these.
Status check_json(std::string_view text, const std::string& origin) {
  if (wire::nests_too_deep(text)) return fail(Errc::corrupt, "its JSON nests too deep for a result", origin);
  const auto values = std::count_if(text.begin(), text.end(), [](char c) { return c == ',' || c == '[' || c == '{'; });
  if (static_cast<std::size_t>(values) > limits::kJsonValuesMax)
    return fail(Errc::too_large, fmt::format("its JSON has more than {} values", limits::kJsonValuesMax), origin);
  return {};
}

std::string short_text(std::string text) {
  if (text.size() > limits::kSaidTextMax) text.resize(limits::kSaidTextMax);
  return text;
}

std::string wrong_time(double ns) {
  if (!std::isfinite(ns) || ns <= 0) return "is not a positive number";
  if (ns > limits::kIterationNsMax) return fmt::format("of {:.3g} ns is over a day", ns);
  if (ns < limits::kIterationNsMin)
    return fmt::format("of {:.3g} ns is below {:g} ns, which nothing takes", ns, limits::kIterationNsMin);
  return {};
}

}  // namespace kernelgate::suite
