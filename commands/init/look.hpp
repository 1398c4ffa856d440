// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a repository's own build files say of its benchmarks. Reads texts that it is given, runs nothing. Pure.

#include <string>
#include <vector>

#include "core/manifest/manifest.hpp"

namespace kernelgate::init {

struct SourceFile {
  std::string path;  // from the root, with '/'
  std::string text;
};

struct FoundSuite {
  std::string name;
  SuiteFormat format = SuiteFormat::google_benchmark;
  std::string run;      // of the manifest
  std::string target;   // what the build makes for it; empty: nothing
  std::string where;    // file:line
  std::string check{};  // line that checks the results; empty: none is known
};

struct Found {
  std::vector<FoundSuite> suites;
  std::vector<std::string> checks;  // programs beside them whose names say that they check; as run lines
  std::string fetch, configure, build;
  bool uses_cuda = false;
  std::vector<std::string> notes;  // what could not be found out, and what to edit
};

// Of a path with '/'; empty at the root.
[[nodiscard]] std::string folder_of(const std::string& path);

// Files that are worth reading, by their names alone.
[[nodiscard]] bool is_of_interest(const std::string& path);

// One build system: CMake where it has suites, else make, else Python.
[[nodiscard]] Found look_at(const std::vector<SourceFile>& files);

[[nodiscard]] Found look_at_cmake(const std::vector<SourceFile>& files);
[[nodiscard]] Found look_at_make(const std::vector<SourceFile>& files);
[[nodiscard]] Found look_at_python(const std::vector<SourceFile>& files);

// A commented kernelgate.toml. It parses as it is where there is a suite; else it holds one to fill in.
[[nodiscard]] std::string manifest_text(const Found& found);

}  // namespace kernelgate::init
