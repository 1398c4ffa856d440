// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads what NVBench writes with --jsonbin (file version 1.x): a JSON text, and beside it a file of little-endian
// 32-bit seconds for each state. A state is one benchmark of ours, named "copy/T=I32/Elements[pow2]=20": the name says
// how to ask for that state alone. Pure: the samples come from a function.
// Without the sample files there are only NVBench's means, which are no series: a named error.

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/result.hpp"
#include "runner/suite/suite_result.hpp"

namespace kernelgate::suite {

// The bytes of a sample file, by the name that the JSON gives it.
using SampleFile = std::function<Result<std::string>(const std::string& name)>;

// Errors: invalid (no benchmark, no sample files, CPU time asked for), unsupported (another version of the file),
// corrupt (not or half a JSON), too_large.
[[nodiscard]] Result<SuiteResult> read_nvbench(std::string_view json, const SampleFile& samples,
                                               const ReadOptions& options, const std::string& origin);

// The states that --jsonlist-benches promises: each combination of the axes' values.
[[nodiscard]] Result<std::vector<std::string>> read_nvbench_list(std::string_view stdout_text,
                                                                 const std::string& origin);

// The flags that run exactly the given states. A value that NVBench's own syntax cannot spell ("foo<int, 3>") leaves
// its axis open: then more states run than were asked for.
[[nodiscard]] std::vector<std::string> nvbench_selection(const std::vector<std::string>& benchmarks);

// A result that came through one pipe: parts, each "NAME BYTES\n" and so many bytes; the JSON is "result.json".
struct NvbenchParts {
  std::string json;
  std::map<std::string, std::string> files;  // by "0.bin"
  [[nodiscard]] Result<std::string> find(const std::string& name) const;
};
[[nodiscard]] Result<NvbenchParts> unpack_nvbench(std::string_view text, const std::string& origin);

}  // namespace kernelgate::suite
