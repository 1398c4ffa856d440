// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a blocked push says: which benchmarks, by how much, where it is shown, and what to do about it. Pure.

#include <string>

#include "commands/hook/settings.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::hook {

struct Around {
  std::string url;          // of the run's page; empty: not known
  int commits = 0;          // between base and head, head included; 0: not known. One commit is its own culprit
  std::string admin_token;  // file of a token that may accept; empty: the reader has to name one
};

[[nodiscard]] std::string blocked_text(const wire::Run& run, const Settings& settings, const Around& around);

}  // namespace kernelgate::hook
