// SPDX-License-Identifier: Apache-2.0
#include "commands/browse/audit.hpp"

#include "commands/browse/reach.hpp"
#include "commands/browse/show.hpp"
#include "core/report/text.hpp"
#include "core/wire/codec.hpp"
#include "service/accounts/audit.hpp"

namespace kernelgate::browse {
namespace {

std::vector<std::string> row_of(const wire::LoggedAction& one) {
  return {to_iso8601(one.at).substr(0, 19), report::harmless(one.actor), report::harmless(one.action),
          report::harmless(one.subject), report::harmless(one.detail)};
}

}  // namespace

Result<std::vector<wire::LoggedAction>> list_actions(const Target& target, const ActionsWanted& wanted) {
  if (!target.server.empty()) {
    auto client = connect(target);
    if (!client) return pass_on(client);
    auto page = client->call(wire::endpoint::get_audit,
                             {.query = {{"actor", wanted.actor},
                                        {"action", wanted.action},
                                        {"subject", wanted.subject},
                                        {"since_ms", wanted.since ? std::to_string(to_millis(*wanted.since)) : ""},
                                        {"limit", std::to_string(wanted.limit)}}});
    if (!page) return pass_on(page);
    return std::move(page->actions);
  }
  const auto store = open_store(target);
  if (!store) return pass_on(store);
  const service::ActionFilter filter{
      .actor = wanted.actor, .action = wanted.action, .subject = wanted.subject, .since = wanted.since};
  return service::list_actions(*store, {.limit = wanted.limit}, filter);
}

std::string to_table(const std::vector<wire::LoggedAction>& actions, const report::TableStyle& style) {
  if (actions.empty()) return "no actions\n";
  std::vector<std::vector<std::string>> rows{{"when", "actor", "action", "subject", "detail"}};
  for (const wire::LoggedAction& one : actions) rows.push_back(row_of(one));
  return aligned(rows, style);
}

std::string to_json(const std::vector<wire::LoggedAction>& actions) { return wire::list_document("actions", actions); }

}  // namespace kernelgate::browse
