// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/calibrations.hpp"

#include "db/accounts/audit.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/comparisons.hpp"
#include "service/baselines/quarantines.hpp"
#include "service/store/named.hpp"

namespace kernelgate::service {

Result<wire::CalibrationReply> keep_calibration(Store store, const wire::CalibrationUpload& upload,
                                                const std::string& actor, Instant now) {
  return write_of(store, upload.repository,
                  [&](db::Connection& connection, RepositoryId repository) -> Result<wire::CalibrationReply> {
                    const EpochId epoch = db::enter_epoch(connection, upload.testbed, now);
                    const Calibration found{.commit = upload.commit,
                                            .rule_version = upload.rule_version,
                                            .program = upload.program,
                                            .at = now,
                                            .benchmarks = upload.benchmarks};
                    db::add_calibration(connection, repository, epoch, found);
                    db::log_action(connection,
                                   {.actor = actor,
                                    .action = "calibration.keep",
                                    .subject = "repository " + upload.repository,
                                    .detail = upload.testbed.name + ", epoch " + std::to_string(epoch.value)},
                                   now);
                    return wire::CalibrationReply{
                        .epoch = epoch.value, .quarantined = quarantine_unstable(connection, repository, epoch, found)};
                  });
}

Result<std::optional<Calibration>> last_calibration(Store store, std::string_view repository, EpochId epoch) {
  return read_of(store, repository, [&](db::Connection& connection, RepositoryId id) {
    return Result<std::optional<Calibration>>(db::last_calibration(connection, id, epoch));
  });
}

Result<CalibrationPlace> enter_calibration(Store store, const LocalRepository& repository,
                                           const wire::TestbedFacts& testbed, Instant now) {
  return store.write([&](db::Connection& connection) -> Result<CalibrationPlace> {
    const auto id = enter_repository(connection, repository, now);
    if (!id) return pass_on(id);
    CalibrationPlace out{.repository = *id, .epoch = db::enter_epoch(connection, testbed, now), .stored = {}};
    out.stored = db::stored_variances(connection, out.repository, out.epoch);
    for (StoredVariance& entry : out.stored) entry.detectable = 0;
    return out;
  });
}

Result<KeptCalibration> keep_calibration(Store store, const CalibrationPlace& place, const Calibration& found) {
  return store.write([&](db::Connection& connection) {
    KeptCalibration out;
    for (const CalibratedBenchmark& one : found.benchmarks) {
      const auto limit =
          one.injected == 0 ? db::counting_limit(connection, place.repository, one, place.epoch) : std::nullopt;
      if (limit && limit->degrees > one.degrees) out.outranked.push_back({one.suite, one.benchmark, *limit});
    }
    db::add_calibration(connection, place.repository, place.epoch, found);
    out.quarantined = quarantine_unstable(connection, place.repository, place.epoch, found);
    return out;
  });
}

}  // namespace kernelgate::service
