// SPDX-License-Identifier: Apache-2.0
#include "commands/logging.hpp"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <memory>
#include <string_view>
#include <utility>

#include "core/log/log.hpp"

namespace kernelgate::cli {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return spdlog::level::debug;
    case LogLevel::info: return spdlog::level::info;
    case LogLevel::warn: return spdlog::level::warn;
    case LogLevel::error: return spdlog::level::err;
  }
  return spdlog::level::info;
}

// A benchmark's name or a path in a log line must not be able to write to the operator's terminal.
std::string harmless(std::string_view line) {
  std::string out;
  out.reserve(line.size());
  for (const char c : line) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return out;
}

}  // namespace

void start_logging(const std::string& level) {
  auto logger = std::make_shared<spdlog::logger>("kernelgate", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_formatter(
      std::make_unique<spdlog::pattern_formatter>("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc));
  logger->set_level(spdlog::level::from_str(level));
  logger->flush_on(spdlog::level::debug);
  set_log_sink([logger](LogLevel at, std::string_view line) { logger->log(to_spdlog(at), harmless(line)); });
}

}  // namespace kernelgate::cli
