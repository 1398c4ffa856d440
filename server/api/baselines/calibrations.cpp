// SPDX-License-Identifier: Apache-2.0
// POST /calibrations: what a machine found when it timed suites against themselves. What is too unstable to judge there
// is set aside.
#include "core/wire/calibrations.hpp"

#include <algorithm>
#include <cmath>

#include "core/units/git_hash.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "service/baselines/calibrations.hpp"

namespace kernelgate::api {
namespace {

Status check(const wire::CalibrationUpload& upload) {
  if (!CommitHash::parse(upload.commit))
    return fail(Errc::invalid, "not a commit: a full hash is meant", "/commit", "send what git rev-parse prints");
  if (upload.testbed.name.empty() || upload.testbed.name.size() > limits::kNameMax)
    return fail(Errc::invalid, "not a testbed's name", "/testbed/name", "1 to 100 bytes");
  for (const wire::CalibratedBenchmark& one : upload.benchmarks) {
    const bool ratios = one.ratio_low > 0 && one.ratio_low <= one.ratio && one.ratio <= one.ratio_high;
    const double fractions[] = {one.injected, one.sum_squares, one.detectable, one.tolerate, one.catch_limit};
    if (!ratios || std::any_of(std::begin(fractions), std::end(fractions), [](double x) { return x < 0; }))
      return fail(Errc::invalid,
                  "not the figures of a calibration: '" + one.benchmark.substr(0, limits::kNameMax) + "'",
                  "/benchmarks", "no fraction is below zero, and a ratio lies within its interval");
  }
  return {};
}

}  // namespace

Result<http::Answer> post_calibration(Context& context, const http::Request& request) {
  const auto upload = wire::decode<wire::CalibrationUpload>(request.body);
  if (!upload) return pass_on(upload);
  if (const Status good = check(*upload); !good) return pass_on(good);
  const auto done = service::keep_calibration(context.store, *upload, request.identity.name, context.clock.now());
  if (!done) return pass_on(done);
  return json(201, wire::encode(*done));
}

}  // namespace kernelgate::api
