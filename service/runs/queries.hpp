// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reading runs and their parts. A run that reuses a verdict has the parts of the run that was measured.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/wire/bundle.hpp"
#include "core/wire/messages.hpp"
#include "db/history/roofs.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/bundle_file.hpp"
#include "db/runs/logs.hpp"
#include "db/runs/processes.hpp"
#include "db/runs/runs.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

using db::EpochRecord;
using db::LogInfo;
using db::ProcessFilter;
using db::Run;
using db::RunFilter;
using db::StoredProcess;

// `repository`: its name, in place of the filter's; empty: any. not_found: no such repository.
[[nodiscard]] Result<std::vector<Run>> list_runs(Store store, RunFilter filter, std::string_view repository,
                                                 const Page& page = {});
[[nodiscard]] Result<Run> get_run(Store store, RunId run);
// The verdict that a run reuses, with what the ledger says of the run itself.
[[nodiscard]] Result<RunDecision> reused_decision(Store store, RunId run);
// With comparisons, workloads, regions and what the ledger says.
[[nodiscard]] Result<wire::Run> whole_run(Store store, RunId run);

[[nodiscard]] Result<std::vector<Comparison>> comparisons_of(Store store, RunId run, int from, int limit);
[[nodiscard]] Result<std::vector<CheckCase>> checks_of(Store store, RunId run, int from, int limit);
[[nodiscard]] Result<std::optional<Ceilings>> ceilings_of(Store store, RunId run);
[[nodiscard]] Result<std::vector<StoredProcess>> processes_of(Store store, RunId run, const ProcessFilter& filter,
                                                              const Page& page);
[[nodiscard]] Result<std::vector<LogInfo>> logs_of(Store store, RunId run);
[[nodiscard]] Result<std::string> log_of(Store store, RunId run, std::string_view name);

// Every testbed's epochs, newest first.
[[nodiscard]] Result<std::vector<EpochRecord>> list_epochs(Store store, const Page& page);

// A finished run as a bundle, and the bytes of its file.
struct BundleFile {
  std::int64_t run = 0;  // that was measured
  std::string bytes;
};
[[nodiscard]] Result<BundleFile> bundle_of(Store store, RunId run);

using db::unpack_bundle;

}  // namespace kernelgate::service
