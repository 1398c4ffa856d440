// SPDX-License-Identifier: Apache-2.0
#pragma once

// Says what long work is doing. On a terminal: one line, which is overwritten and at last removed. Elsewhere, in a log
// of CI: a line each half minute, with the time since the start, so that silence never lasts longer. Thread-safe.

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

namespace kernelgate::cli {

inline constexpr std::chrono::seconds kProgressEvery{30};

class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* stream, std::chrono::milliseconds every = kProgressEvery);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const std::string& text);

 private:
  void write_now_and_then(const std::stop_token& stop, std::chrono::milliseconds every);

  std::FILE* stream_;
  bool terminal_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string latest_;
  std::jthread writer_;  // where the stream is no terminal; last: it uses the others
};

}  // namespace kernelgate::cli
