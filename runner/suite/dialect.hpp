// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a suite of each format is called and read. A call is a shell line with our own words as positional parameters, so
// that no benchmark's name is read as shell code. Pure.
//
// Google Benchmark writes its result into the pipe itself. NVBench writes files: the line puts them into a folder of
// its own and sends them down the pipe. pytest-benchmark writes the pipe; node ids choose the tests. A program of
// samples prints them.

#include <string>
#include <string_view>
#include <vector>

#include "core/manifest/manifest.hpp"
#include "core/units/result.hpp"
#include "runner/suite/flags.hpp"
#include "runner/suite/suite_result.hpp"

namespace kernelgate::suite {

struct Call {
  std::string line;                // given to the shell as it is, or with "$@" behind it
  std::vector<std::string> words;  // our own
};

// The spellings worth trying when a program refuses its flags; MinTime::absent leaves out what older ones do not know.
[[nodiscard]] std::vector<MinTime> spellings(SuiteFormat format);

[[nodiscard]] Call start_call(SuiteFormat format, const std::string& line, const StartFlags& start);
[[nodiscard]] Call list_call(SuiteFormat format, const std::string& line, MinTime spelling, double sample_ms);

// One short run of one benchmark, whose result nobody reads: for tools that watch a kernel.
[[nodiscard]] std::vector<std::string> once_flags(SuiteFormat format, const std::string& benchmark);

// What stands in the pipe of a start_call; samples stand on stdout, and Google Benchmark's result may
// (options.from_stdout).
[[nodiscard]] Result<SuiteResult> read_result(SuiteFormat format, std::string_view text, const ReadOptions& options,
                                              const std::string& origin);
[[nodiscard]] Result<std::vector<std::string>> read_list(SuiteFormat format, std::string_view stdout_text,
                                                         const std::string& origin);

// Which format a file is in, by the members at the top of its JSON; Google Benchmark where they say nothing.
[[nodiscard]] SuiteFormat format_of(std::string_view text);

}  // namespace kernelgate::suite
