// SPDX-License-Identifier: Apache-2.0
// /reports/tuning: what was tried, as a page to send on, or as data.
#include "core/ledger/tuning.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "service/ledger/attempts.hpp"

namespace kernelgate::api {

Result<http::Answer> get_tuning_report(Context& context, const http::Request& request) {
  const std::string_view format = request.query_value("format").value_or("json");
  if (format != "json" && format != "markdown")
    return fail(Errc::invalid, "unknown format", "query parameter format", "json or markdown");
  const auto text = [&](std::string_view name) { return std::string(request.query_value(name).value_or("")); };
  const service::TuningWanted wanted{
      .repository = text("repository"), .branch = text("branch"), .since = text("since")};
  const auto report = service::tuning_report(context.store, wanted, context.clock.now());
  if (!report) return pass_on(report);
  if (format == "json") return json(200, wire::encode(*report));
  return http::Response{.status = 200,
                        .content_type = "text/markdown; charset=utf-8",
                        .body = ledger::tuning_markdown(*report),
                        .headers = {}};
}

}  // namespace kernelgate::api
