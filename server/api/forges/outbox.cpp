// SPDX-License-Identifier: Apache-2.0
// /outbox: what forges and others are still to be told, and what they were told.
#include <algorithm>
#include <array>

#include "core/wire/codec.hpp"
#include "core/wire/outbox.hpp"
#include "server/api/endpoints.hpp"
#include "service/outbox/outbox.hpp"

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
  auto found = service::list_messages(context.store, status, *page);
  if (!found) return pass_on(found);
  wire::OutboxPage out;
  out.next = next_page(*found, *page, [](const wire::OutboxMessage& last) { return last.id; });
  out.messages = std::move(*found);
  return json(200, wire::encode(out));
}

Result<http::Answer> post_outbox_retry(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "message");
  if (!id) return pass_on(id);
  const auto message = service::retry_message(context.store, *id, request.identity.name, context.clock.now());
  if (!message) return pass_on(message);
  return json(200, wire::encode(*message));
}

}  // namespace kernelgate::api
