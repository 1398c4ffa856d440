// SPDX-License-Identifier: Apache-2.0
#pragma once

// Texts a run leaves behind (build-base, check-head …), compressed. Of a text over kLogMax the
// first and last half are kept, with a line between that says how much is gone. Call inside a
// Database work.

#include <string>
#include <string_view>
#include <vector>

#include "db/store/connection.hpp"

namespace kernelgate::db {

struct LogInfo {
  std::string name;
  Bytes size;      // of the kept text
  Bytes original;  // before the cut
  Instant stored_at{};
};

// The same name again replaces the text. invalid: a name that is not 1 to 100 of [a-z0-9._-].
[[nodiscard]] Status put_log(Connection& connection, RunId run, std::string_view name, std::string_view text,
                             Instant now);
[[nodiscard]] std::vector<LogInfo> list_logs(Connection& connection, RunId run);
[[nodiscard]] Result<std::string> get_log(Connection& connection, RunId run, std::string_view name);

}  // namespace kernelgate::db
