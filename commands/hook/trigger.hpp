// SPDX-License-Identifier: Apache-2.0
#pragma once

// `kernelgate trigger`: asks the server for a run of one commit, and waits for it if told to.

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "core/units/result.hpp"

namespace kernelgate::hook {

struct TriggerRequest {
  std::string server;
  std::filesystem::path token_file;
  std::string repository;             // registered name
  std::filesystem::path folder{"."};  // where the commit is looked up
  std::string commit{"HEAD"};
  std::string base;    // empty: the merge base with the default branch, or the first parent on that branch
  std::string branch;  // empty: the branch that HEAD is on, if it is this commit
  bool force = false;  // measure even if already judged
  bool wait = false;
  std::chrono::seconds wait_most{3600};
  bool json = false;
};

// The exit code: without waiting 0; else that of the run's conclusion. Results go to `out`, progress to `progress`.
[[nodiscard]] Result<int> trigger(const TriggerRequest& request, std::FILE* out, std::FILE* progress);

}  // namespace kernelgate::hook
