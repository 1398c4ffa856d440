// SPDX-License-Identifier: Apache-2.0
#include "core/log/log.hpp"

#include <utility>

namespace kernelgate {
namespace {

LogSink& sink() {
  static LogSink installed;
  return installed;
}

}  // namespace

void set_log_sink(LogSink to) { sink() = std::move(to); }

void log(LogLevel level, std::string_view line) {
  if (sink()) sink()(level, line);
}

}  // namespace kernelgate
