// SPDX-License-Identifier: Apache-2.0
#pragma once

// A fuzzer is one function in a file of its name: it gives the input to a reader of foreign text as the product would,
// and ends the process where what was read is not as the reader promises. libFuzzer calls it in the preset fuzz,
// corpus_test.cpp in the others. No fuzzer keeps anything from one input to the next.

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>

namespace kernelgate::fuzz {

// True: the reader took the input for what it wants, so that the corpus can be seen to reach beyond the first refusal.
using Fuzzer = bool (*)(std::string_view input);

struct Named {
  const char* name;  // corpus/NAME has its inputs
  Fuzzer run;
};
// Those of CMakeLists.txt, in its order.
[[nodiscard]] std::span<const Named> fuzzers();

// A promise that is broken ends the process as a crash would.
inline void require(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

// The input's first line, without its line break, and the rest: for readers of two texts.
[[nodiscard]] inline std::pair<std::string_view, std::string_view> first_line(std::string_view input) {
  const auto end = input.find('\n');
  if (end == std::string_view::npos) return {input, {}};
  return {input.substr(0, end), input.substr(end + 1)};
}

}  // namespace kernelgate::fuzz
