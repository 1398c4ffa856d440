// SPDX-License-Identifier: Apache-2.0
// /reports/tuning: what was tried, as a page to send on, or as data.
#include "core/ledger/tuning.hpp"
#include "core/wire/codec.hpp"
#include "db/ledger/tuning_report.hpp"
#include "db/repositories/repositories.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/ledger/attempt_filter.hpp"

namespace kernelgate::api {

Result<http::Answer> get_tuning_report(Context& context, const http::Request& request) {
  const std::string_view format = request.query_value("format").value_or("json");
  if (format != "json" && format != "markdown")
    return fail(Errc::invalid, "unknown format", "query parameter format", "json or markdown");
  const auto report = context.database.read([&](db::Connection& connection) -> Result<wire::TuningReport> {
    const auto repository = db::get_repository(connection, request.query_value("repository").value_or(""));
    if (!repository) return pass_on(repository);
    const auto filter = attempt_filter(connection, request, context.clock.now());
    if (!filter) return pass_on(filter);
    return db::tuning_report(connection, {.repositories = {repository->id},
                                          .name = repository->name,
                                          .branch = filter->branch,
                                          .since_text = std::string(request.query_value("since").value_or("")),
                                          .since = filter->since});
  });
  if (!report) return pass_on(report);
  if (format == "json") return json(200, wire::encode(*report));
  return http::Response{.status = 200,
                        .content_type = "text/markdown; charset=utf-8",
                        .body = ledger::tuning_markdown(*report),
                        .headers = {}};
}

}  // namespace kernelgate::api
