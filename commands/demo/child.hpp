// SPDX-License-Identifier: Apache-2.0
#pragma once

// A long-lived child process (the demo's server and runner): its own process group, so that an interrupt at the
// terminal reaches only us, output into a log file, and dead when we are. Stopped by the destructor. Use from the
// thread that started it, which must live as long as the child.

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate::demo {

class Child {
 public:
  [[nodiscard]] static Result<Child> start(const std::string& name, const std::vector<std::string>& argv,
                                           const std::filesystem::path& log);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  [[nodiscard]] bool running();
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string last_words() const;  // of the log
  // SIGTERM; SIGKILL of the group when `patience` is over.
  void stop(std::chrono::milliseconds patience = std::chrono::seconds(10));

 private:
  Child(std::string name, pid_t pid, std::filesystem::path log)
      : name_(std::move(name)), pid_(pid), log_(std::move(log)) {}
  std::string name_;
  pid_t pid_ = 0;  // 0: ended and waited for
  std::filesystem::path log_;
};

}  // namespace kernelgate::demo
