// SPDX-License-Identifier: Apache-2.0
// What a runner sends while it works: processes with their samples, and logs.
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/runs/holder.hpp"
#include "service/runs/work.hpp"

namespace kernelgate::api {

Result<http::Answer> post_processes(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto upload = wire::decode<wire::ProcessUpload>(request.body);
  if (!upload) return pass_on(upload);
  const auto stored =
      service::upload(context.store, *id, upload->processes, holder_of(request, upload->lease), context.clock.now());
  if (!stored) return pass_on(stored);
  return json(200, wire::encode(wire::UploadReply{.stored = *stored}));
}

Result<http::Answer> post_log(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto upload = wire::decode<wire::LogUpload>(request.body);
  if (!upload) return pass_on(upload);
  const Status stored = service::keep_log(context.store, *id, upload->name, upload->text,
                                          holder_of(request, upload->lease), context.clock.now());
  if (!stored) return pass_on(stored);
  return no_content();
}

}  // namespace kernelgate::api
