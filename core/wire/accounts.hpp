// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who may do what, and who did what: logins and the audit log. Plain structs; codec.hpp turns them into JSON and
// back. Instants are ISO 8601 texts.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units/role.hpp"
#include "core/units/time.hpp"

namespace kernelgate::wire {

struct LoginRequest {
  std::string token;
};

// Who asks, as the server sees it.
struct Caller {
  std::string name;
  Role role = Role::read;
  std::string by;                         // token, login, or public: reading that needs neither
  std::optional<std::string> csrf_token;  // of a login: goes into X-CSRF-Token of every request that changes state
  std::optional<Instant> expires_at;      // of a login
};

// Takes a token's access away, and its logins with it.
struct Token {
  std::string name;
  Role role = Role::read;
  Instant created_at{};
  std::optional<Instant> last_used_at, revoked_at;
};
struct TokenPage {
  std::vector<Token> tokens;
  std::optional<std::string> next;
};

struct RevokeRequest {
  std::string reason;  // goes into the audit log; not empty
};

// One line of the audit log: who did what to which thing, when, and why or how.
struct LoggedAction {
  std::int64_t id = 0;
  Instant at{};
  std::string actor, action, subject, detail;
};
struct ActionPage {
  std::vector<LoggedAction> actions;
  std::optional<std::string> next;
};

}  // namespace kernelgate::wire
