// SPDX-License-Identifier: Apache-2.0
// /epochs and /calibration: what runs were measured on, and how small a change can be told there.

#include <cmath>

#include "core/units/time.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/json_text.hpp"
#include "service/baselines/calibrations.hpp"
#include "service/runs/queries.hpp"

namespace kernelgate::api {
namespace {

std::string to_json(const service::EpochRecord& record) {
  const wire::TestbedFacts& facts = record.epoch.facts;
  return JsonObject{}
      .add("id", record.epoch.id.value)
      .add("testbed", facts.name)
      .add("gpu_model", facts.gpu_model)
      .add("compute_capability", facts.compute_capability)
      .add("driver", facts.driver)
      .add("toolkit", facts.toolkit)
      .add("power_limit", facts.power_limit)
      .add("mig_mode", facts.mig_mode)
      .add("host_cpu", facts.host_cpu)
      .add("since", to_iso8601(record.epoch.since))
      .add("over", record.over)
      .str();
}

std::string to_json(const service::CalibratedBenchmark& one) {
  return JsonObject{}
      .add("suite", one.suite)
      .add("benchmark", one.benchmark)
      .add("injected", one.injected)
      .add("pairs", one.pairs)
      .add("ratio", one.ratio)
      .add("ratio_low", one.ratio_low)
      .add("ratio_high", one.ratio_high)
      .add("noise", one.degrees > 0 ? std::optional(std::sqrt(one.sum_squares / one.degrees)) : std::nullopt)
      .add("detectable", one.detectable)
      .add("trials", one.trials)
      .add("regressed", one.regressed)
      .add("undecided", one.undecided)
      .str();
}

std::string to_json(const service::Calibration& calibration) {
  std::vector<std::string> benchmarks;
  for (const service::CalibratedBenchmark& one : calibration.benchmarks) benchmarks.push_back(to_json(one));
  return JsonObject{}
      .add("commit", calibration.commit)
      .add("calibrated_at", to_iso8601(calibration.at))
      .add("program", calibration.program)
      .raw("benchmarks", json_array(benchmarks))
      .str();
}

}  // namespace

Result<http::Answer> get_epochs(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const auto rows = service::list_epochs(context.database, *page);
  if (!rows) return pass_on(rows);
  std::vector<std::string> values;
  for (const service::EpochRecord& row : *rows) values.push_back(to_json(row));
  const auto next = next_page(*rows, *page, [](const service::EpochRecord& last) { return last.epoch.id.value; });
  return json(200, json_page("epochs", values, next));
}

Result<http::Answer> get_calibration(Context& context, const http::Request& request) {
  const auto epoch = request.query_number("epoch", 0, 1, INT64_MAX);
  if (!epoch) return pass_on(epoch);
  const std::string name(request.query_value("repository").value_or(""));
  const auto found = service::last_calibration(context.database, name, EpochId{*epoch});
  if (!found) return pass_on(found);
  return json(200, JsonObject{}.raw("calibration", *found ? to_json(**found) : "null").str());
}

}  // namespace kernelgate::api
