// SPDX-License-Identifier: Apache-2.0
// /outbox: what forges and others are still to be told, and what they were told.
#include <algorithm>
#include <array>

#include "db/audit.hpp"
#include "db/outbox.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/json_text.hpp"

namespace kernelgate::api {
namespace {

constexpr std::array<std::string_view, 5> kStatuses{"", "pending", "delivered", "obsolete", "gave_up"};

std::string to_json(const db::Message& message) {
  const auto time = [](const std::optional<Instant>& at) {
    return at ? std::optional(to_iso8601(*at)) : std::optional<std::string>();
  };
  return JsonObject{}
      .add("id", message.id)
      .add("run", message.run.value)
      .add("target", message.target)
      .add("phase", message.phase)
      .add("status", message.status)
      .add("delivery", message.delivery)
      .add("attempts", message.attempts)
      .add("next_at", to_iso8601(message.next_at))
      .add("error", message.error)
      .add("created_at", to_iso8601(message.created_at))
      .add("ended_at", time(message.ended_at))
      .str();
}

}  // namespace

Result<http::Answer> get_outbox(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const std::string_view status = request.query_value("status").value_or("");
  if (std::find(kStatuses.begin(), kStatuses.end(), status) == kStatuses.end())
    return fail(Errc::invalid, "unknown status", "query parameter status", "pending, delivered, obsolete or gave_up");
  const auto found = context.database.read(
      [&](db::Connection& connection) { return db::list_messages(connection, status, *page); });
  if (!found) return pass_on(found);
  std::vector<std::string> values;
  for (const db::Message& message : *found) values.push_back(to_json(message));
  return json(200, json_page("messages", values, next_page(*found, *page, [](const auto& last) { return last.id; })));
}

Result<http::Answer> post_outbox_retry(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "message");
  if (!id) return pass_on(id);
  const Instant now = context.clock.now();
  const auto message = context.database.write([&](db::Connection& connection) -> Result<db::Message> {
    if (const Status done = db::retry_message(connection, *id, now); !done) return pass_on(done);
    db::log_act(connection,
                db::Act{.actor = request.identity.name,
                        .act = "outbox.retry",
                        .subject = "message " + std::to_string(*id),
                        .detail = {}},
                now);
    return db::get_message(connection, *id);
  });
  if (!message) return pass_on(message);
  return json(200, to_json(*message));
}

}  // namespace kernelgate::api
