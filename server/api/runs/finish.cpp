// SPDX-License-Identifier: Apache-2.0
// POST finish: the end of a run. service/runs/finish.cpp decides.
#include "service/runs/finish.hpp"

#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/runs/holder.hpp"

namespace kernelgate::api {

Result<http::Answer> post_finish(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  auto finish = wire::decode<wire::Finish>(request.body);
  if (!finish) return pass_on(finish);
  service::FinishedWork work{.evidence = std::move(finish->evidence),
                             .manifest = std::move(finish->policy_toml_manifest),
                             .program = context.settings.program,
                             .gpu_s_held = finish->gpu_s_held,
                             .gpu_s_used = finish->gpu_s_used,
                             .wall_s = finish->wall_s};
  const auto finished =
      service::finish(context.store, *id, std::move(work), holder_of(request, finish->lease), context.clock);
  if (!finished) return pass_on(finished);
  if (!finished->is_repeated) announce(context, finished->run);
  // A FinishReply: the document is a decision as the codec wrote it, and need not be read to be written again.
  return json(200, "{\"decision\":" + finished->document + "}");
}

}  // namespace kernelgate::api
