// SPDX-License-Identifier: Apache-2.0
// /acts: who did what to which thing, when, and why.
#include "db/accounts/audit.hpp"
#include "core/wire/accounts.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {

Result<http::Answer> get_audit(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const auto since = request.query_number("since_ms", 0, 0, INT64_MAX);
  if (!since) return pass_on(since);
  const auto text = [&](std::string_view name) { return std::string(request.query_value(name).value_or("")); };
  const db::ActFilter filter{
      .actor = text("actor"), .act = text("act"), .subject = text("subject"), .since = from_millis(*since)};
  const auto acts =
      context.database.read([&](db::Connection& connection) { return db::list_actions(connection, *page, filter); });
  if (!acts) return pass_on(acts);
  wire::ActPage out;
  for (const db::LoggedAction& one : *acts) out.acts.push_back(db::to_wire(one));
  out.next = next_page(*acts, *page, [](const db::LoggedAction& last) { return last.id; });
  return json(200, wire::encode(out));
}

}  // namespace kernelgate::api
