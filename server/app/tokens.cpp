// SPDX-License-Identifier: Apache-2.0
#include "server/app/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/log/log.hpp"
#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "platform/files/secret_file.hpp"
#include "service/accounts/tokens.hpp"

namespace kernelgate {
namespace {

std::string shown(const std::optional<Instant>& at) { return at ? to_iso8601(*at) : "-"; }

}  // namespace

Result<std::string> create_token(service::Store store, const std::string& name, Role role, Instant now) {
  const bool plain =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == std::string::npos;
  if (name.empty() || name.size() > limits::kNameMax || !plain)
    return fail(Errc::invalid, "not a token name: '" + name.substr(0, limits::kNameMax) + "'", "--name",
                "1 to 100 letters, digits, '.', '_' or '-'");
  const std::string text = "kg_" + random_hex(32);
  const auto added = service::add_token(store, name, sha256_hex(text), role, "command line", now);
  if (!added) return pass_on(added);
  return text;
}

Result<std::string> describe_tokens(service::Store store) {
  const auto tokens = service::list_tokens(store);
  if (!tokens) return pass_on(tokens);
  std::string out = fmt::format("{:<24} {:<8} {:<24} {:<24} {}\n", "name", "role", "created", "last used", "revoked");
  for (const service::Token& token : *tokens)
    out += fmt::format("{:<24} {:<8} {:<24} {:<24} {}\n", token.name, to_string(token.role),
                       to_iso8601(token.created_at), shown(token.last_used_at), shown(token.revoked_at));
  return out;
}

Status ensure_admin_token(service::Store store, const std::filesystem::path& file, Instant now) {
  const auto tokens = service::list_tokens(store);
  if (!tokens) return pass_on(tokens);
  const bool exists = std::any_of(tokens->begin(), tokens->end(), [](const service::Token& token) {
    return token.role == Role::admin && !token.revoked_at;
  });
  if (exists) return {};
  const std::string name = "admin-" + random_hex(4);
  const auto text = create_token(store, name, Role::admin, now);
  if (!text) return pass_on(text);
  if (const Status written = write_secret_file(file, *text + "\n"); !written) {
    // A token that nobody has would keep the next start from making one.
    if (const Status revoked = service::revoke_token(store, name, {}, "command line", now); !revoked) return revoked;
    return written;
  }
  log_info("the first admin token is in " + file.string());
  return {};
}

}  // namespace kernelgate
