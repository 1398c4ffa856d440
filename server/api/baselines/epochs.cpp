// SPDX-License-Identifier: Apache-2.0
// What a runner measured at the start of an epoch: the commit's baselines are carried into it.
#include <cmath>

#include "core/wire/codec.hpp"
#include "core/wire/epochs.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/runs/holder.hpp"
#include "service/baselines/baselines.hpp"

namespace kernelgate::api {
namespace {

Status check_upload(const wire::EpochUpload& upload) {
  if (upload.text.size() > limits::kReasonMax)
    return fail(Errc::too_large, "the text is too long", "/text", "2,000 bytes at most");
  if (upload.figures.size() > static_cast<std::size_t>(limits::kBenchmarksPerSuiteMax))
    return fail(Errc::too_large, "too many figures", "/figures", "2,000 at most");
  for (const auto& figure : upload.figures)
    if (!(figure.median_ns > 0) || !std::isfinite(figure.median_ns) || figure.processes < 1)
      return fail(Errc::invalid, "not a time of '" + figure.benchmark.substr(0, 100) + "'", "/figures",
                  "send medians in nanoseconds, finite and over 0");
  return {};
}

}  // namespace

Result<http::Answer> post_epoch(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto upload = wire::decode<wire::EpochUpload>(request.body);
  if (!upload) return pass_on(upload);
  if (const Status good = check_upload(*upload); !good) return pass_on(good);
  const auto carried =
      service::carry_baselines(context.store, *id, *upload, holder_of(request, upload->lease), context.clock.now());
  if (!carried) return pass_on(carried);
  return json(200, wire::encode(wire::EpochReply{.carried = *carried}));
}

}  // namespace kernelgate::api
