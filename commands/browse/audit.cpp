// SPDX-License-Identifier: Apache-2.0
#include "commands/browse/audit.hpp"

#include "commands/browse/reach.hpp"
#include "commands/browse/show.hpp"
#include "core/report/text.hpp"
#include "core/wire/codec.hpp"
#include "service/accounts/audit.hpp"

namespace kernelgate::browse {
namespace {

std::vector<std::string> row_of(const wire::LoggedAction& act) {
  return {to_iso8601(act.at).substr(0, 19), report::harmless(act.actor), report::harmless(act.act),
          report::harmless(act.subject), report::harmless(act.detail)};
}

}  // namespace

Result<std::vector<wire::LoggedAction>> list_actions(const Target& target, const ActsWanted& wanted) {
  if (!target.server.empty()) {
    auto client = connect(target);
    if (!client) return pass_on(client);
    auto page = client->call(wire::endpoint::get_audit,
                             {.query = {{"actor", wanted.actor},
                                        {"act", wanted.act},
                                        {"subject", wanted.subject},
                                        {"since_ms", wanted.since ? std::to_string(to_millis(*wanted.since)) : ""},
                                        {"limit", std::to_string(wanted.limit)}}});
    if (!page) return pass_on(page);
    return std::move(page->acts);
  }
  const auto store = open_store(target);
  if (!store) return pass_on(store);
  const service::ActFilter filter{
      .actor = wanted.actor, .act = wanted.act, .subject = wanted.subject, .since = wanted.since};
  return service::list_actions(*store, {.limit = wanted.limit}, filter);
}

std::string to_table(const std::vector<wire::LoggedAction>& acts, const report::TableStyle& style) {
  if (acts.empty()) return "no acts\n";
  std::vector<std::vector<std::string>> rows{{"when", "who", "act", "to", "why, or how"}};
  for (const wire::LoggedAction& act : acts) rows.push_back(row_of(act));
  return aligned(rows, style);
}

std::string to_json(const std::vector<wire::LoggedAction>& acts) {
  return "{\"schema\":1," + wire::encode(wire::ActPage{acts, {}}).substr(1) + "\n";
}

}  // namespace kernelgate::browse
