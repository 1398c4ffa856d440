// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the JSON of pytest-benchmark (--benchmark-json, versions 3.2 to 5): seconds of each round, a benchmark named by
// its node id ("bench/test_gemm.py::test_gemm[64]"). Numbers in extra_info become counters. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "core/units/result.hpp"
#include "runner/suite/suite_result.hpp"

namespace kernelgate::suite {

// Errors: invalid (no benchmark, no data of rounds, CPU time asked for), corrupt (not or half a JSON), too_large.
[[nodiscard]] Result<SuiteResult> read_pytest_benchmark(std::string_view json, const ReadOptions& options,
                                                        const std::string& origin);

// The node ids that --collect-only -q prints, each once, in order.
[[nodiscard]] Result<std::vector<std::string>> read_pytest_list(std::string_view stdout_text,
                                                                const std::string& origin);

}  // namespace kernelgate::suite
