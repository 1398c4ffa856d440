// SPDX-License-Identifier: Apache-2.0
// /runs/{id}/approve and /refuse: what becomes of a fork's run.
#include "core/wire/approvals.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "service/runs/actions.hpp"

namespace kernelgate::api {

Result<http::Answer> post_approve(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto run = service::approve(context.store, *id, request.identity.name, context.clock.now());
  if (!run) return pass_on(run);
  announce(context, *run);
  return json(200, wire::encode(to_wire(*run)));
}

Result<http::Answer> post_refuse(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::RefuseRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto run = service::refuse(context.store, *id, wanted->reason, request.identity.name, context.clock.now());
  if (!run) return pass_on(run);
  announce(context, *run);
  return json(200, wire::encode(to_wire(*run)));
}

}  // namespace kernelgate::api
