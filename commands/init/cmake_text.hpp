// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the commands of a CMakeLists.txt without running CMake: comments gone, set() and foreach() over plain words
// carried out, nothing else. What a function or a generator expression would do is not known here. Pure.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgate::init {

struct CMakeCall {
  std::string name;  // lower case
  std::vector<std::string> words{};
  int line = 1;
};

using CMakeVariables = std::map<std::string, std::string>;

// In the order that CMake meets them; a loop's body once for each word. `variables` are those of the folder above; what
// the text sets is added.
[[nodiscard]] std::vector<CMakeCall> read_cmake(std::string_view text, CMakeVariables& variables);

}  // namespace kernelgate::init
