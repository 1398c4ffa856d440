// SPDX-License-Identifier: Apache-2.0
#include "runner/measure/device_side.hpp"

#include <algorithm>

#include "core/decision/rule/device_clock.hpp"
#include "core/units/time.hpp"
#include "platform/process/scratch_folder.hpp"
#include "runner/gpu/device_times.hpp"

namespace kernelgate {
namespace {

constexpr double kSampleMsLeast = 10;         // of a repetition: many launches average the clock's step away
constexpr suite::RepetitionPlan kPlan{2, 6};  // the first quarter of the launches warms up
constexpr double kIterationsLeast = 4;  // of a repetition: set-up is launched once each, the loop's kernels as often

}  // namespace

DeviceSide::DeviceSide(const MeasureRequest& request, Side side, SuiteEvidence& evidence, int& order,
                       DisturbanceProbe& probe, const MeasureHooks& hooks)
    : request_(request),
      measured_(side == Side::base ? *request.base : *request.head),
      side_(side),
      evidence_(evidence),
      order_(order),
      probe_(probe),
      hooks_(hooks) {}

Result<bool> DeviceSide::run(const std::string& benchmark, const StartTarget& target, std::stop_token stop) {
  const ScratchFolder folder("device-clock");
  if (folder.path().empty()) return fail(Errc::io, "no temporary folder for the device's clock");
  const std::int64_t started_at_ms = to_millis(SystemClock().now());
  probe_.process_starts();
  const auto started = start(benchmark, folder.path(), stop);
  const DeviceWindow window = probe_.process_ended();
  if (!started) return pass_on(started);
  Process process = process_of(*started, target, window, started_at_ms);
  process.suite = evidence_.name;
  process.side = side_;
  process.order = order_++;
  process.device = times_of(benchmark, *started, folder.path());
  evidence_.processes.push_back(process);
  if (hooks_.process_ended)
    if (auto told = hooks_.process_ended(process); !told) return pass_on(told);
  if (process.end != ProcessEnd::ok)
    if (auto well = probe_.after_failure(stop); !well) return pass_on(well);
  return window.disturbed;
}

Result<Started> DeviceSide::start(const std::string& benchmark, const std::filesystem::path& folder,
                                  std::stop_token stop) const {
  if (auto given = request_.setup.sandbox->hand_over(folder); !given) return pass_on(given);
  SuiteSetup setup = request_.setup;
  setup.spec.sample_ms = std::max(setup.spec.sample_ms, kSampleMsLeast);
  SuiteSide side = measured_.side;
  gpu::add_device_clock(request_.device_clock, folder, side.mounts, setup.env);
  StartRequest how;
  how.benchmarks = {benchmark};
  how.plan = kPlan;
  how.min_time = measured_.listing.min_time;
  return start_suite(setup, side, how, stop);
}

DeviceTimes DeviceSide::times_of(const std::string& benchmark, const Started& started,
                                 const std::filesystem::path& folder) {
  DeviceTimes out;
  out.benchmark = benchmark;
  const auto series = std::find_if(started.series.begin(), started.series.end(),
                                   [&](const Series& each) { return each.benchmark == benchmark; });
  const auto known = started.iterations.find(benchmark);
  const double iterations = known == started.iterations.end() ? 0 : known->second;
  const auto kept = series == started.series.end() ? 0 : static_cast<double>(series->samples_ns.size());
  const double repetitions = kept * kPlan.total() / kPlan.timed;
  if (started.ended.end != ProcessEnd::ok)
    out.trouble = "a process under it ended badly: " + started.ended.text;
  else if (iterations <= 0)
    out.trouble = "the suite does not state its iterations";
  else if (iterations < kIterationsLeast * repetitions)
    out.trouble = "an iteration is too long to tell its kernels from those of the set-up";
  if (!out.trouble.empty()) return out;
  auto read = gpu::read_device_times(folder, iterations);
  if (!read) {
    out.trouble = to_string(read.error());
  } else if (!read->refused.empty()) {
    out.trouble = refusal_ = read->refused;
  } else {
    out.kernels = std::move(read->kernels);
    if (out.kernels.empty()) out.trouble = "the program launches no kernel";
  }
  return out;
}

}  // namespace kernelgate
