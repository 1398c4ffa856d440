// SPDX-License-Identifier: Apache-2.0
// Upkeep of what is stored: the difference between two baselines, baselines as a file, thinning of old samples.
#include "core/wire/upkeep.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "service/baselines/baselines.hpp"

namespace kernelgate::api {
namespace {

std::string text(const http::Request& request, std::string_view name) {
  return std::string(request.query_value(name).value_or(""));
}

}  // namespace

Result<http::Answer> get_baseline_diff(Context& context, const http::Request& request) {
  for (const std::string_view name : {"a", "b"})
    if (text(request, name).empty())
      return fail(Errc::invalid, "what is compared is not said", "query parameter " + std::string(name),
                  "name a commit, a baseline or a release");
  const auto found =
      service::diff_baselines(context.store, text(request, "repository"), text(request, "a"), text(request, "b"));
  if (!found) return pass_on(found);
  return json(200, wire::encode(*found));
}

Result<http::Answer> get_baseline_export(Context& context, const http::Request& request) {
  auto lines = service::export_baselines(context.store, text(request, "repository"), text(request, "name"),
                                         context.settings.program);
  if (!lines) return pass_on(lines);
  return http::Response{
      .status = 200, .content_type = "application/x-ndjson", .body = std::move(*lines), .headers = {}};
}

Result<http::Answer> post_baseline_import(Context& context, const http::Request& request) {
  if (text(request, "repository").empty())
    return fail(Errc::invalid, "which repository's baselines they become is not said", "query parameter repository",
                "name a repository of this server");
  const auto done = service::import_baselines(context.store, text(request, "repository"), text(request, "testbed"),
                                              request.body, request.identity.name, context.clock.now());
  if (!done) return pass_on(done);
  return json(200, wire::encode(*done));
}

Result<http::Answer> post_prune(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::PruneRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto done = service::prune(context.store, *wanted, request.identity.name, context.clock.now());
  if (!done) return pass_on(done);
  return json(200, wire::encode(*done));
}

}  // namespace kernelgate::api
