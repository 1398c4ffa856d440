// SPDX-License-Identifier: Apache-2.0
// What a runner sends while it works: processes with their samples, and logs.
#include "core/wire/codec.hpp"
#include "db/runs/logs.hpp"
#include "db/runs/processes.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/runs/lease.hpp"

namespace kernelgate::api {

Result<http::Answer> post_processes(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto upload = wire::decode<wire::ProcessUpload>(request.body);
  if (!upload) return pass_on(upload);
  const std::string hash = lease_hash(request, upload->lease);
  const auto stored = context.database.write([&](db::Connection& connection) -> Result<int> {
    if (const Status held = check_lease(connection, *id, hash); !held) return pass_on(held);
    return db::put_processes(connection, *id, upload->processes, context.clock.now());
  });
  if (!stored) return pass_on(stored);
  return json(200, wire::encode(wire::UploadReply{.stored = *stored}));
}

Result<http::Answer> post_log(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto upload = wire::decode<wire::LogUpload>(request.body);
  if (!upload) return pass_on(upload);
  const std::string hash = lease_hash(request, upload->lease);
  const Status stored = context.database.write([&](db::Connection& connection) -> Status {
    if (const Status held = check_lease(connection, *id, hash); !held) return held;
    return db::put_log(connection, *id, upload->name, upload->text, context.clock.now());
  });
  if (!stored) return pass_on(stored);
  return no_content();
}

}  // namespace kernelgate::api
