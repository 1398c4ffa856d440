// SPDX-License-Identifier: Apache-2.0
#include "runner/measure/side_runner.hpp"

#include <algorithm>

#include "core/units/digest.hpp"
#include "core/units/time.hpp"

namespace kernelgate {
namespace {

const Series* find(const Started& started, const std::string& benchmark) {
  for (const auto& series : started.series)
    if (series.benchmark == benchmark) return &series;
  return nullptr;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

SideRunner::SideRunner(const MeasureRequest& request, Side side, SuiteEvidence& evidence, int& order,
                       std::vector<std::string>& notices, DisturbanceProbe& probe, const MeasureHooks& hooks)
    : request_(request),
      measured_(side == Side::base ? *request.base : *request.head),
      side_(side),
      evidence_(evidence),
      order_(order),
      notices_(notices),
      probe_(probe),
      hooks_(hooks),
      min_time_(measured_.listing.min_time) {}

Result<bool> SideRunner::run(const std::vector<std::string>& benchmarks, const StartTarget& target,
                             std::stop_token stop) {
  disturbed_ = false;
  clock_mhz_.reset();
  auto started = start(benchmarks, target, stop);
  if (!started) return pass_on(started);
  const auto left = unfinished(benchmarks, *started);
  if (benchmarks.size() == 1 && !left.empty()) {
    judge_alone(benchmarks.front(), *started);
    return disturbed_;
  }
  for (const auto& benchmark : left) {
    if (budget_spent()) {
      notices_.push_back(evidence_.name + ": the budget of gpu_seconds was spent on starts that failed");
      break;
    }
    if (auto done = run_alone(benchmark, target, stop); !done) return pass_on(done);
  }
  return disturbed_;
}

Result<Started> SideRunner::start(const std::vector<std::string>& benchmarks, const StartTarget& target,
                                  std::stop_token stop) {
  const std::int64_t started_at_ms = to_millis(SystemClock().now());
  probe_.process_starts();
  auto started = start_in_known_words(benchmarks, stop);
  const DeviceWindow window = probe_.process_ended();
  if (!started) return started;
  disturbed_ = disturbed_ || window.disturbed;
  if (window.sm_mhz) clock_mhz_ = window.sm_mhz;
  for (const auto& [benchmark, ms] : started->longest_ms) longest_ms_[benchmark] = std::max(longest_ms_[benchmark], ms);
  for (const auto& benchmark : started->skipped) take_off_list(benchmark, "the suite skips it");
  if (auto recorded = record(*started, target, window, started_at_ms); !recorded) return pass_on(recorded);
  const auto failed = [](const Series& series) { return !series.error.empty(); };
  const ProcessEnd end = started->ended.end;
  if (end == ProcessEnd::crashed || end == ProcessEnd::timed_out || end == ProcessEnd::failed ||
      std::any_of(started->series.begin(), started->series.end(), failed))
    if (auto well = probe_.after_failure(stop); !well) return pass_on(well);
  return started;
}

// Some programs read their flags only when they run: a first start that fails without a word of result is tried with
// the other spellings of what versions differ in.
Result<Started> SideRunner::start_in_known_words(const std::vector<std::string>& benchmarks, std::stop_token stop) {
  StartRequest request;
  double longest_ms = 0;
  for (const auto& benchmark : benchmarks)
    if (const auto known = longest_ms_.find(benchmark); known != longest_ms_.end())
      longest_ms = std::max(longest_ms, known->second);
  request.benchmarks = benchmarks;
  request.plan = suite::plan_repetitions(request_.setup.spec.sample_ms, benchmarks.size(), longest_ms);
  request.min_time = min_time_;
  auto first = start_suite(request_.setup, measured_.side, request, stop);
  if (!first) return first;
  const bool silent = first->ended.end == ProcessEnd::failed && first->series.empty();
  if (!silent || spoke_) {
    spoke_ = spoke_ || !first->series.empty();
    return first;
  }
  for (const auto spelling : suite::spellings(request_.setup.spec.format)) {
    if (spelling == min_time_) continue;
    request.min_time = spelling;
    auto other = start_suite(request_.setup, measured_.side, request, stop);
    if (!other) return other;
    if (other->series.empty()) continue;
    spoke_ = true;
    min_time_ = spelling;
    return other;
  }
  spoke_ = true;  // no spelling helps: later starts need not try again
  return first;
}

Process process_of(const Started& started, const StartTarget& target, const DeviceWindow& window,
                   std::int64_t started_at_ms) {
  Process process;
  process.id = random_hex(16);
  process.round = target.round;
  process.pair = target.pair;
  process.attempt = target.attempt;
  process.disturbed = window.disturbed;
  process.disturbance = window.disturbance;
  process.state_json = window.state_json;
  process.started_at_ms = started_at_ms;
  process.wall_s = process.gpu_s = started.ended.wall_s;
  process.end = started.ended.end;
  process.exit_code = started.ended.exit_code;
  process.signal = started.ended.signal;
  process.text = started.ended.text;
  return process;
}

Status SideRunner::run_alone(const std::string& benchmark, const StartTarget& target, std::stop_token stop) {
  auto started = start({benchmark}, target, stop);
  if (!started) return pass_on(started);
  if (!unfinished({benchmark}, *started).empty()) judge_alone(benchmark, *started);
  return {};
}

Status SideRunner::record(const Started& started, const StartTarget& target, const DeviceWindow& window,
                          std::int64_t started_at_ms) {
  Process process = process_of(started, target, window, started_at_ms);
  process.suite = evidence_.name;
  process.side = side_;
  process.order = order_++;
  process.series = started.series;
  evidence_.processes.push_back(process);
  return hooks_.process_ended ? hooks_.process_ended(process) : Status{};
}

// A process that ended well but did not run a benchmark has no such benchmark: a listed line may be chatter. One that
// died with all results written died on its way out: then nothing it says is finished.
std::vector<std::string> SideRunner::unfinished(const std::vector<std::string>& benchmarks, const Started& started) {
  std::vector<std::string> left;
  for (const auto& benchmark : benchmarks) {
    const Series* series = find(started, benchmark);
    if (series != nullptr && series->error.empty()) continue;
    if (contains(started.skipped, benchmark)) continue;
    if (series == nullptr && started.ended.end == ProcessEnd::ok)
      take_off_list(benchmark, "it is listed but the suite did not run it");
    else
      left.push_back(benchmark);
  }
  if (left.empty() && started.ended.end != ProcessEnd::ok) return benchmarks;
  return left;
}

void SideRunner::judge_alone(const std::string& benchmark, const Started& started) {
  const bool known = std::any_of(evidence_.failures.begin(), evidence_.failures.end(), [&](const CaseFailure& failure) {
    return failure.benchmark == benchmark && failure.side == side_;
  });
  if (known) return;
  CaseFailure failure;
  failure.benchmark = benchmark;
  failure.side = side_;
  failure.verdict = verdict_of(started.ended.end);
  failure.signal = started.ended.signal;
  const Series* series = find(started, benchmark);
  const bool own_error = series != nullptr && !series->error.empty();
  failure.text = own_error ? series->error : started.ended.text;
  evidence_.failures.push_back(std::move(failure));
}

void SideRunner::take_off_list(const std::string& benchmark, const std::string& why) {
  auto& list = side_ == Side::base ? evidence_.base_benchmarks : evidence_.head_benchmarks;
  if (std::erase(list, benchmark) == 0) return;
  notices_.push_back(evidence_.name + ": " + benchmark + " is not timed on " + std::string(to_string(side_)) + ": " +
                     why);
}

bool SideRunner::budget_spent() const {
  double spent = 0;
  for (const auto& process : evidence_.processes) spent += process.gpu_s;
  return spent >= request_.policy.gpu_seconds;
}

}  // namespace kernelgate
