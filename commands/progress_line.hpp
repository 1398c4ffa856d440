// SPDX-License-Identifier: Apache-2.0
#pragma once

// One line on a terminal that says what long work is doing; it is overwritten and at last removed.
// Where the stream is no terminal, nothing is written.

#include <cstdio>
#include <string>

namespace kernelgate::cli {

class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* stream);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const std::string& text);

 private:
  std::FILE* stream_;
  bool terminal_;
};

}  // namespace kernelgate::cli
