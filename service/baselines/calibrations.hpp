// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the rule was found to be worth on a testbed. Benchmarks that fail their own trials are quarantined with it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/wire/calibrations.hpp"
#include "core/wire/messages.hpp"
#include "db/baselines/calibrations.hpp"
#include "service/runs/local.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

using db::CalibratedBenchmark;
using db::Calibration;
using db::CountingLimit;
using db::kCalibrationSuite;

// A server's: logged as calibration.keep.
[[nodiscard]] Result<wire::CalibrationReply> keep_calibration(Store store, const wire::CalibrationUpload& upload,
                                                              const std::string& actor, Instant now);
[[nodiscard]] Result<std::optional<Calibration>> last_calibration(Store store, std::string_view repository,
                                                                  EpochId epoch);

// A local one, in two steps: what is known before its trials, and what they found.
struct CalibrationPlace {
  RepositoryId repository;
  EpochId epoch;
  std::vector<StoredVariance> stored;  // without what earlier calibrations found: they must not speak in this one
};
[[nodiscard]] Result<CalibrationPlace> enter_calibration(Store store, const LocalRepository& repository,
                                                         const wire::TestbedFacts& testbed, Instant now);
struct Outranked {  // an earlier calibration of the epoch knows more of this benchmark
  std::string suite, benchmark;
  CountingLimit by;
};
struct KeptCalibration {
  std::vector<Outranked> outranked;
  std::vector<std::string> quarantined;
};
[[nodiscard]] Result<KeptCalibration> keep_calibration(Store store, const CalibrationPlace& place,
                                                       const Calibration& found);

}  // namespace kernelgate::service
