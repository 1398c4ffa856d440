// SPDX-License-Identifier: Apache-2.0
#pragma once

// The start of an epoch: when a testbed's facts have changed, the control suite and the anchored baseline's kept
// binaries are timed, and compared with what they took in the epoch before. Each repository has figures of its own on
// each runner. What goes wrong here keeps no run from being measured: it is a notice. One thread; blocks.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/wire/epochs.hpp"
#include "runner/job/job.hpp"

namespace kernelgate {

struct EpochRequest {
  std::filesystem::path file;     // where this repository's figures are kept
  std::filesystem::path control;  // the control suite: any Google Benchmark program; empty: none
  std::string anchor;             // commit of the anchored baseline; empty: none
};

struct EpochEntered {
  bool is_new = false;               // the facts differ from those of the last figures
  std::vector<std::string> notices;  // for the reader of the run that met it
  wire::EpochUpload upload;          // for the server, where is_new; the lease is not set
  double held_s = 0;                 // of the device
};

// Does nothing where neither the facts nor the anchor have changed. An error: a stop, or the reporter ended the job.
[[nodiscard]] Result<EpochEntered> enter_epoch(const JobMachine& machine, const JobRequest& request,
                                               const EpochRequest& epoch, JobReporter& reporter,
                                               const std::stop_token& stop);

}  // namespace kernelgate
