// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the JSON of Google Benchmark 1.5 to 1.9 into Series. Pure: text in, values out.
// Only rows of single repetitions count; aggregates are ignored. What concerns one benchmark alone
// (its own error, a time of zero, aggregates only) becomes that Series' error; what spoils the
// whole text is an Error.

#include <string>
#include <string_view>
#include <vector>

#include "core/units/result.hpp"
#include "runner/suite/suite_result.hpp"

namespace kernelgate::suite {

// `origin` names the text in errors. Errors: invalid (no benchmark, aggregates only), corrupt (not
// or half a JSON), too_large (more benchmarks, samples or longer names than limits.hpp allows).
[[nodiscard]] Result<SuiteResult> read_google_benchmark(std::string_view json, const ReadOptions& options,
                                                        const std::string& origin);

// The names printed by --benchmark_list_tests, each once, in order.
[[nodiscard]] Result<std::vector<std::string>> read_benchmark_list(std::string_view stdout_text,
                                                                   const std::string& origin);

}  // namespace kernelgate::suite
