// SPDX-License-Identifier: Apache-2.0
#pragma once

// One line to the operator's log. Any thread may call. Core does no I/O: a line goes to the sink that the program's
// main installed, and nowhere before that. Say what happened and to which run; never a token or a lease.
// The library behind the sink stays in main, because its headers cost seconds in every file that sees them.

#include <functional>
#include <string_view>

namespace kernelgate {

enum class LogLevel { debug, info, warn, error };

using LogSink = std::function<void(LogLevel, std::string_view)>;

// Call once, before other threads start; an empty sink drops every line.
void set_log_sink(LogSink sink);

void log(LogLevel level, std::string_view line);

inline void log_debug(std::string_view line) { log(LogLevel::debug, line); }
inline void log_info(std::string_view line) { log(LogLevel::info, line); }
inline void log_warn(std::string_view line) { log(LogLevel::warn, line); }
inline void log_error(std::string_view line) { log(LogLevel::error, line); }

}  // namespace kernelgate
