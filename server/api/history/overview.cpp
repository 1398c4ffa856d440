// SPDX-License-Identifier: Apache-2.0
// /overview: what the dashboard's first page shows, in one answer. /failures: where a fingerprint was seen.
#include "service/history/overview.hpp"

#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {

Result<http::Answer> get_overview(Context& context, const http::Request& request) {
  const Instant now = context.clock.now();
  const auto since = request.query_number("since_ms", to_millis(now) - 86'400'000, 0, INT64_MAX);
  if (!since) return pass_on(since);
  const auto found = service::overview(context.store, from_millis(*since), now);
  if (!found) return pass_on(found);
  return json(200, wire::encode(*found));
}

Result<http::Answer> get_failures(Context& context, const http::Request& request) {
  const auto name = request.query_value("repository");
  const auto fingerprint = request.query_value("fingerprint");
  if (!name || !fingerprint || fingerprint->empty())
    return fail(Errc::invalid, "repository and fingerprint are needed", "query", "give both");
  const auto limit = request.query_number("limit", 50, 1, limits::kPageMax);
  if (!limit) return pass_on(limit);
  const auto found = service::failures_seen(context.store, *name, *fingerprint, static_cast<int>(*limit));
  if (!found) return pass_on(found);
  return json(200, wire::encode(*found));
}

}  // namespace kernelgate::api
