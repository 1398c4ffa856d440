// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sends core/log to stderr, one line each: "2026-11-21T10:41:06.123Z info …". The only file that knows spdlog.

#include <string>

namespace kernelgate::cli {

// `level`: debug, info, warn, error or off.
void start_logging(const std::string& level);

}  // namespace kernelgate::cli
