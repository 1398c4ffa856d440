// SPDX-License-Identifier: Apache-2.0
#pragma once

// `kernelgate demo`: makes the scenario's repository and a bare remote with the real hook, starts server and runner as
// child processes, pushes commit by commit, and shows what each push was judged to be. Needs git, bubblewrap, CMake,
// Ninja, a C++ compiler and Google Benchmark on this machine. Call from a program's main thread: it takes SIGINT and
// SIGTERM while it runs.

#include <filesystem>
#include <string>

#include "core/units/result.hpp"

namespace kernelgate::demo {

struct DemoOptions {
  std::filesystem::path program;  // our own executable: server, runner and hook are started from it
  std::filesystem::path work;     // new or empty folder; empty: a temporary one, removed at the end unless `keep`
  std::string replay = "cpu";     // or cuda, softmax, which need a GPU and nvcc
  bool keep = false;
  bool json = false;                   // the ledger as JSON on stdout, all else on stderr
  bool exit = false;                   // do not leave the server up
  std::string listen = "127.0.0.1:0";  // port 0: any free one
};

// The exit code: 0 if every outcome is the expected one, else 1. An error is the machine's or the caller's.
[[nodiscard]] Result<int> run_demo(const DemoOptions& options);

// Only writes the scenario's repository to `folder` and lists its commits on stdout.
[[nodiscard]] Status make_repository(const std::string& replay, const std::filesystem::path& folder);

}  // namespace kernelgate::demo
