// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/quarantines.hpp"

#include <fmt/format.h>

#include "core/units/limits.hpp"
#include "core/units/time.hpp"
#include "db/accounts/audit.hpp"

namespace kernelgate::service {
namespace {

// Why a benchmark cannot be judged where it was calibrated; empty: it can. `detectable`: as runs take it, so that few
// pairs do not speak over many.
std::string instability(const db::CalibratedBenchmark& found, double detectable) {
  if (detectable >= found.catch_limit)
    return fmt::format("{:.3g} % is not detectable, {:.3g} % is", 100 * found.catch_limit, 100 * detectable);
  const bool off = found.ratio_low > 1 + found.tolerate || found.ratio_high < 1 / (1 + found.tolerate);
  if (off) return fmt::format("against itself it is {:+.2f} % off", 100 * (found.ratio - 1));
  // One false alarm may be chance, at a rate of at most 1 in 200 a benchmark; two are noise that the pairs do not show.
  const int alarms = found.regressed + found.improved;
  if (alarms > 1) return fmt::format("against itself {} of {} trials were false alarms", alarms, found.trials);
  return {};
}

void log_quarantine(db::Connection& connection, const std::string& actor, std::string action,
                    const std::string& benchmark, const std::string& reason, Instant now) {
  db::log_action(connection,
                 {.actor = actor, .action = std::move(action), .subject = "benchmark " + benchmark, .detail = reason},
                 now);
}

}  // namespace

Result<db::QuarantineId> set_quarantine(db::Connection& connection, const db::NewQuarantine& wanted, Instant now) {
  const std::string name = wanted.suite + ": " + wanted.benchmark;
  if (wanted.reason.empty()) return fail(Errc::invalid, "a quarantine needs a reason", "/reason", "say why");
  const auto benchmark = db::find_benchmark(connection, wanted.repository, wanted.suite, wanted.benchmark);
  if (!benchmark)
    return fail(Errc::not_found, "no benchmark '" + name + "' was measured", "/benchmark",
                "names are as in a run's table");
  if (const auto other = db::covering_quarantine(connection, *benchmark, wanted.epoch))
    return fail(Errc::conflict, "'" + name + "' is quarantined already, by number " + std::to_string(other->value),
                "/benchmark", "release that one first");
  if (db::count_quarantines(connection, wanted.repository) >= limits::kQuarantinesMax)
    return fail(Errc::too_many, std::to_string(limits::kQuarantinesMax) + " benchmarks are quarantined", "/benchmark",
                "release some, or fix the machine");
  const db::QuarantineId id = db::add_quarantine(connection, wanted, *benchmark, now);
  log_quarantine(connection, wanted.actor, "benchmark.quarantine", name, wanted.reason, now);
  return id;
}

Status release_quarantine(db::Connection& connection, const db::QuarantineRelease& wanted, Instant now) {
  const std::string number = "quarantine " + std::to_string(wanted.id.value);
  if (wanted.reason.empty()) return fail(Errc::invalid, "a release needs a reason", "/reason", "say why");
  const auto known = db::get_quarantine(connection, wanted.id);
  if (!known || known->repository != wanted.repository)
    return fail(Errc::not_found, "no " + number + " in this repository", "path");
  if (known->released_at) return fail(Errc::conflict, number + " was released before", "path", "a new one may be set");
  db::put_release(connection, wanted, now);
  log_quarantine(connection, wanted.actor, "benchmark.release", known->suite + ": " + known->benchmark, wanted.reason,
                 now);
  return {};
}

std::string suggestion_for(db::Connection& connection, const db::StoredQuarantine& quarantine) {
  if (quarantine.released_at) return {};
  const auto trial = db::later_trial(connection, quarantine);
  if (!trial || !instability(trial->found, trial->detectable).empty()) return {};
  return fmt::format("calibrated {}: {:.3g} % is detectable; release it", to_iso8601(trial->at).substr(0, 10),
                     100 * trial->detectable);
}

std::vector<std::string> quarantine_unstable(db::Connection& connection, RepositoryId repository, EpochId epoch,
                                             const db::Calibration& calibration) {
  std::vector<std::string> out;
  for (const db::CalibratedBenchmark& found : calibration.benchmarks) {
    if (found.injected != 0 || found.suite == db::kCalibrationSuite) continue;
    const auto limit = db::counting_limit(connection, repository, found, epoch);
    const std::string why = instability(found, limit ? limit->detectable : found.detectable);
    if (why.empty()) continue;
    const auto made = set_quarantine(connection,
                                     {.repository = repository,
                                      .suite = found.suite,
                                      .benchmark = found.benchmark,
                                      .epoch = epoch,
                                      .actor = std::string(kByCalibration),
                                      .reason = why},
                                     calibration.at);
    if (made) out.push_back(found.suite + ": " + found.benchmark + ": " + why);
  }
  return out;
}

}  // namespace kernelgate::service
