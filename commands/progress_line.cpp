// SPDX-License-Identifier: Apache-2.0
#include "commands/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "core/report/text.hpp"

namespace kernelgate::cli {

ProgressLine::ProgressLine(std::FILE* stream, std::chrono::milliseconds every)
    : stream_(stream), terminal_(isatty(fileno(stream)) == 1) {
  if (!terminal_)
    writer_ = std::jthread([this, every](const std::stop_token& stop) { write_now_and_then(stop, every); });
}

ProgressLine::~ProgressLine() {
  if (terminal_) std::fputs("\r\x1b[K", stream_);
}

void ProgressLine::show(const std::string& text) {
  const std::lock_guard held(mutex_);
  latest_ = text;
  if (!terminal_) return;
  std::fprintf(stream_, "\r\x1b[K%s", report::shorten(report::harmless(text), 78).c_str());
  std::fflush(stream_);
}

void ProgressLine::write_now_and_then(const std::stop_token& stop, std::chrono::milliseconds every) {
  const auto started = std::chrono::steady_clock::now();
  std::unique_lock held(mutex_);
  while (!wake_.wait_for(held, stop, every, [] { return false; }) && !stop.stop_requested()) {
    if (latest_.empty()) continue;
    const auto passed = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - started);
    fmt::print(stream_, "kernelgate: {} min {:02} s: {}\n", passed.count() / 60, passed.count() % 60,
               report::shorten(report::harmless(latest_), 200));
    std::fflush(stream_);
  }
}

}  // namespace kernelgate::cli
