// SPDX-License-Identifier: Apache-2.0
#pragma once

// Processes and their series, every sample as it was measured. A process is stored once: the same
// id again changes nothing. Samples are packed little-endian doubles. Call inside a Database work.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

// true: stored now; false: this run has it already. conflict: another run has this id, or the run
// is finished.
[[nodiscard]] Result<bool> put_process(Connection& connection, RunId run, const Process& process, Instant now);

// All or none; how many were new.
[[nodiscard]] Result<int> put_processes(Connection& connection, RunId run, std::span<const Process> processes,
                                        Instant now);

// What the decision uses: the processes of the run's present generation, with samples, in the order
// of time.
[[nodiscard]] std::vector<Process> evidence_processes(Connection& connection, RunId run);

[[nodiscard]] std::vector<std::string> process_ids(Connection& connection, RunId run);

struct StoredProcess {
  std::int64_t row = 0;  // pages go by this
  int generation = 0;
  bool superseded = false;
  Instant stored_at{};
  Process process;
};
struct ProcessFilter {
  std::string suite{};      // empty: any
  std::string benchmark{};  // empty: any; else only its series
  bool with_superseded = false;
};
[[nodiscard]] std::vector<StoredProcess> list_processes(Connection& connection, RunId run, const ProcessFilter& filter,
                                                        const Page& page = {});

}  // namespace kernelgate::db
