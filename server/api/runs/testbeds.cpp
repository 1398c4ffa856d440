// SPDX-License-Identifier: Apache-2.0
// /epochs and /calibration: what runs were measured on, and how small a change can be told there.

#include <cmath>

#include "core/wire/calibrations.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/epochs.hpp"
#include "server/api/endpoints.hpp"
#include "service/baselines/calibrations.hpp"
#include "service/runs/queries.hpp"

namespace kernelgate::api {
namespace {

wire::Epoch to_wire(const service::EpochRecord& record) {
  const wire::TestbedFacts& facts = record.epoch.facts;
  return {.id = record.epoch.id,
          .testbed = facts.name,
          .gpu_model = facts.gpu_model,
          .compute_capability = facts.compute_capability,
          .driver = facts.driver,
          .toolkit = facts.toolkit,
          .power_limit = facts.power_limit,
          .mig_mode = facts.mig_mode,
          .host_cpu = facts.host_cpu,
          .since = record.epoch.since,
          .over = record.over};
}

wire::CalibratedFigures to_wire(const service::CalibratedBenchmark& one) {
  return {.suite = one.suite,
          .benchmark = one.benchmark,
          .injected = one.injected,
          .pairs = one.pairs,
          .ratio = one.ratio,
          .ratio_low = one.ratio_low,
          .ratio_high = one.ratio_high,
          .noise = one.degrees > 0 ? std::optional(std::sqrt(one.sum_squares / one.degrees)) : std::nullopt,
          .detectable = one.detectable,
          .trials = one.trials,
          .regressed = one.regressed,
          .undecided = one.undecided};
}

wire::Calibration to_wire(const service::Calibration& calibration) {
  wire::Calibration out{
      .commit = calibration.commit, .calibrated_at = calibration.at, .program = calibration.program, .benchmarks = {}};
  for (const service::CalibratedBenchmark& one : calibration.benchmarks) out.benchmarks.push_back(to_wire(one));
  return out;
}

}  // namespace

Result<http::Answer> get_epochs(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const auto rows = service::list_epochs(context.store, *page);
  if (!rows) return pass_on(rows);
  wire::EpochPage out;
  for (const service::EpochRecord& row : *rows) out.epochs.push_back(to_wire(row));
  out.next = next_page(*rows, *page, [](const service::EpochRecord& last) { return last.epoch.id.value; });
  return json(200, wire::encode(out));
}

Result<http::Answer> get_calibration(Context& context, const http::Request& request) {
  const auto epoch = request.query_number("epoch", 0, 1, INT64_MAX);
  if (!epoch) return pass_on(epoch);
  const std::string name(request.query_value("repository").value_or(""));
  const auto found = service::last_calibration(context.store, name, EpochId{*epoch});
  if (!found) return pass_on(found);
  wire::CalibrationAnswer out;
  if (*found) out.calibration = to_wire(**found);
  return json(200, wire::encode(out));
}

}  // namespace kernelgate::api
