// SPDX-License-Identifier: Apache-2.0
#pragma once

// Starts a program that goes on by itself: it reads nothing and writes into a log. Whoever starts it waits for it.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate {

enum class LoggedLife {
  own_session,  // outlives us and our terminal; begins a new log
  with_us,      // gets SIGTERM when we end, however we do; adds to the log
};

// `argv[0]` is the program's path. The number of the new process, which leads a process group of its own.
[[nodiscard]] Result<pid_t> start_logged(const std::string& name, const std::vector<std::string>& argv,
                                         const std::filesystem::path& log, LoggedLife life);

}  // namespace kernelgate
