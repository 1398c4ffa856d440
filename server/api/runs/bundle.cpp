// SPDX-License-Identifier: Apache-2.0
// GET /runs/{id}/bundle: a finished run as a file that `kernelgate replay` judges anew.
#include "db/runs/bundle_file.hpp"
#include "db/runs/bundles.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {

Result<http::Answer> get_bundle(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto bundle =
      context.database.read([&](db::Connection& connection) { return db::make_bundle(connection, *id); });
  if (!bundle) return pass_on(bundle);
  auto file = db::pack_bundle(*bundle);
  if (!file) return pass_on(file);
  const std::string name = "kernelgate-run-" + std::to_string(bundle->run.id) + ".kgb";
  return http::Response{.status = 200,
                        .content_type = "application/zstd",
                        .body = std::move(*file),
                        .headers = {{"Content-Disposition", "attachment; filename=\"" + name + "\""}}};
}

}  // namespace kernelgate::api
