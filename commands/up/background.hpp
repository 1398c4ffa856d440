// SPDX-License-Identifier: Apache-2.0
#pragma once

// A process of ours that goes on when the command that started it has ended: a session of its own, output in a log, its
// number in a file. The file also holds when the process began, so that a number that the system gave to somebody
// else, or that is left from before a restart of the machine, is never taken for ours.

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate::up {

class Background {
 public:
  // NAME.pid and NAME.log in `folder`, both for us alone. Starts nothing.
  Background(std::string name, const std::filesystem::path& folder);

  // The number of the process while it runs, else 0.
  [[nodiscard]] pid_t running() const;
  // Begins a new log. `argv[0]` is the program's path.
  [[nodiscard]] Status start(const std::vector<std::string>& argv) const;
  // SIGTERM; SIGKILL of its session's group when `patience` is over. False: it did not run.
  [[nodiscard]] bool stop(std::chrono::milliseconds patience) const;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::filesystem::path& log() const { return log_; }
  [[nodiscard]] std::string log_text() const;

 private:
  std::string name_;
  std::filesystem::path pid_file_, log_;
};

}  // namespace kernelgate::up
