// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who may do what, and who did what: logins and the audit log. Plain structs; codec.hpp turns them into JSON and
// back. Instants are ISO 8601 texts.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelgate::wire {

struct LoginRequest {
  std::string token;
};

// Who asks, as the server sees it.
struct Caller {
  std::string name, role;
  std::string by;                         // token, login, or public: reading that needs neither
  std::optional<std::string> csrf_token;  // of a login: goes into X-CSRF-Token of every request that changes state
  std::optional<std::string> expires_at;  // of a login
};

// Takes a token's access away, and its logins with it.
struct RevokeRequest {
  std::string reason;  // goes into the audit log; not empty
};

// One line of the audit log: who did what to which thing, when, and why or how.
struct LoggedAction {
  std::int64_t id = 0;
  std::string at, actor, act, subject, detail;
};
struct ActPage {
  std::vector<LoggedAction> acts;
  std::optional<std::string> next;
};

}  // namespace kernelgate::wire
