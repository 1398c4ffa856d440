// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/reach.hpp"

#include "client/token_file.hpp"
#include "core/units/limits.hpp"
#include "core/units/role.hpp"
#include "core/wire/accounts.hpp"

namespace kernelgate::hook {

Result<std::string> check_reach(const Settings& settings) {
  ClientOptions options{.server = settings.server, .retry_for = limits::kHookContactMax};
  options.timeout = limits::kHookTimeout;
  auto client = open_client(options, settings.token_file);
  if (!client) return pass_on(client);
  const auto caller = client->call(wire::endpoint::get_session);
  if (!caller && is_away(caller.error()))
    return "the server does not answer now (" + to_string(caller.error()) + "); until it does, pushes are not judged";
  if (!caller) return pass_on(caller);
  if (!includes(caller->role, Role::trigger))
    return fail(Errc::forbidden, "a token of role " + std::string(to_string(caller->role)) + " cannot ask for runs",
                settings.token_file.string(), "make one of role trigger: kernelgate token create");
  if (const auto known = client->repository(settings.repository); !known)
    return fail(known.error().code, known.error().what, known.error().where,
                "'kernelgate repository add' registers it");
  return std::string();
}

}  // namespace kernelgate::hook
