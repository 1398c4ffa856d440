// SPDX-License-Identifier: Apache-2.0
#pragma once

// Remembers a server and a token that it takes, so that other commands need no flags for them.

#include <cstdio>
#include <filesystem>
#include <string>

#include "core/units/result.hpp"

namespace kernelgate::login {

struct Request {
  std::string url;                   // of the server, or a login link: URL/#token=…
  std::filesystem::path token_file;  // empty: the link's token, or one line of `in`
  std::FILE* in = nullptr;
};

// What was remembered, for people. The server is asked first: a token that it refuses, or one that belongs to a runner
// or a badge, is not kept.
[[nodiscard]] Result<std::string> log_in(const Request& request);

// Forgets it; true if there was anything.
[[nodiscard]] Result<bool> log_out();

}  // namespace kernelgate::login
