// SPDX-License-Identifier: Apache-2.0
// GET /runs/{id}/bundle: a finished run as a file that `kernelgate replay` judges anew.
#include "server/api/endpoints.hpp"
#include "service/runs/queries.hpp"

namespace kernelgate::api {

Result<http::Answer> get_bundle(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  auto file = service::bundle_of(context.store, *id);
  if (!file) return pass_on(file);
  const std::string name = "kernelgate-run-" + std::to_string(file->run) + ".kgb";
  return http::Response{.status = 200,
                        .content_type = "application/zstd",
                        .body = std::move(file->bytes),
                        .headers = {{"Content-Disposition", "attachment; filename=\"" + name + "\""}}};
}

}  // namespace kernelgate::api
