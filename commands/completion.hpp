// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a shell offers for the word that is being typed: `kernelgate __complete WORDS…`, which the scripts of
// packaging/completions call with the words after the program's name, the last one unfinished.

#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kernelgate::cli {

// Commands, or flags where the last word begins with '-', that begin with it. Empty: a value or a file is wanted.
[[nodiscard]] std::vector<std::string> completions(const CLI::App& app, std::span<const std::string> words);

}  // namespace kernelgate::cli
