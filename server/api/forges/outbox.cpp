// SPDX-License-Identifier: Apache-2.0
// /outbox: what forges and others are still to be told, and what they were told.
#include <algorithm>
#include <array>

#include "core/wire/codec.hpp"
#include "core/wire/outbox.hpp"
#include "db/accounts/audit.hpp"
#include "db/outbox/outbox.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {
namespace {

constexpr std::array<std::string_view, 5> kStatuses{"", "pending", "delivered", "obsolete", "gave_up"};

}  // namespace

Result<http::Answer> get_outbox(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const std::string_view status = request.query_value("status").value_or("");
  if (std::find(kStatuses.begin(), kStatuses.end(), status) == kStatuses.end())
    return fail(Errc::invalid, "unknown status", "query parameter status", "pending, delivered, obsolete or gave_up");
  const auto found =
      context.database.read([&](db::Connection& connection) { return db::list_messages(connection, status, *page); });
  if (!found) return pass_on(found);
  wire::OutboxPage out;
  for (const db::Message& message : *found) out.messages.push_back(db::to_wire(message));
  out.next = next_page(*found, *page, [](const db::Message& last) { return last.id; });
  return json(200, wire::encode(out));
}

Result<http::Answer> post_outbox_retry(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "message");
  if (!id) return pass_on(id);
  const Instant now = context.clock.now();
  const auto message = context.database.write([&](db::Connection& connection) -> Result<db::Message> {
    if (const Status done = db::retry_message(connection, *id, now); !done) return pass_on(done);
    db::log_action(connection,
                   db::Act{.actor = request.identity.name,
                           .act = "outbox.retry",
                           .subject = "message " + std::to_string(*id),
                           .detail = {}},
                   now);
    return db::get_message(connection, *id);
  });
  if (!message) return pass_on(message);
  return json(200, wire::encode(db::to_wire(*message)));
}

}  // namespace kernelgate::api
