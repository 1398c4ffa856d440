// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the neutral format (docs/FORMATS.md): JSON lines {"benchmark": NAME, "samples_ns": [...], …} on standard
// output. A line whose first member is not "benchmark" is chatter. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "core/units/result.hpp"
#include "runner/suite/flags.hpp"
#include "runner/suite/suite_result.hpp"

namespace kernelgate::suite {

// Errors: invalid (no benchmark), corrupt (a line that is half, or that names none), too_large.
[[nodiscard]] Result<SuiteResult> read_samples(std::string_view text, const ReadOptions& options,
                                               const std::string& origin);

// The benchmarks that --list prints, each once, in order.
[[nodiscard]] Result<std::vector<std::string>> read_samples_list(std::string_view text, const std::string& origin);

// Our words behind the run line. MinTime::absent leaves out --sample-ms, which a program need not know.
[[nodiscard]] std::vector<std::string> samples_words(const StartFlags& start);
[[nodiscard]] std::vector<std::string> samples_list_words(MinTime spelling, double sample_ms);

// Whether a line opens an object whose first member is "benchmark".
[[nodiscard]] bool is_samples_line(std::string_view line);

}  // namespace kernelgate::suite
