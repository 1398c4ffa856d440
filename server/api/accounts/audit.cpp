// SPDX-License-Identifier: Apache-2.0
// /audit: who did what to which thing, when, and why.
#include "service/accounts/audit.hpp"

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
  const service::ActionFilter filter{
      .actor = text("actor"), .action = text("action"), .subject = text("subject"), .since = from_millis(*since)};
  auto actions = service::list_actions(context.store, *page, filter);
  if (!actions) return pass_on(actions);
  wire::ActionPage out;
  out.next = next_page(*actions, *page, [](const wire::LoggedAction& last) { return last.id; });
  out.actions = std::move(*actions);
  return json(200, wire::encode(out));
}

}  // namespace kernelgate::api
