// SPDX-License-Identifier: Apache-2.0
#include "commands/progress_line.hpp"

#include <unistd.h>

#include "core/report/text.hpp"

namespace kernelgate::cli {

ProgressLine::ProgressLine(std::FILE* stream) : stream_(stream), terminal_(isatty(fileno(stream)) == 1) {}

ProgressLine::~ProgressLine() {
  if (terminal_) std::fputs("\r\x1b[K", stream_);
}

void ProgressLine::show(const std::string& text) {
  if (!terminal_) return;
  const std::string shown = report::shorten(report::harmless(text), 78);
  std::fprintf(stream_, "\r\x1b[K%s", shown.c_str());
  std::fflush(stream_);
}

}  // namespace kernelgate::cli
