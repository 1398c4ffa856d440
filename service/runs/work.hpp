// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the holder of a run reports while it works: what base turned out to be, processes, logs, progress. The same for
// a runner of the server and for a local run.

#include <span>
#include <string>

#include "core/wire/messages.hpp"
#include "db/runs/runs.hpp"
#include "service/runs/lease.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

// Stores what base turned out to be; ends the run where its verdict is known already (reused_from of the answer).
// `whole`: every suite and benchmark is judged; else no later run may reuse the verdict, nor this one an earlier one's.
// Logged as run.finish where it ends the run.
[[nodiscard]] Result<db::Run> resolve(Store store, RunId run, const wire::Resolved& resolved, bool whole,
                                      const Holder& holder, Instant now);

// How many were new; all or none.
[[nodiscard]] Result<int> upload(Store store, RunId run, std::span<const Process> processes, const Holder& holder,
                                 Instant now);

[[nodiscard]] Status keep_log(Store store, RunId run, const std::string& name, const std::string& text,
                              const Holder& holder, Instant now);

// Of a local run: a runner's comes with its heartbeat.
[[nodiscard]] Status report_progress(Store store, RunId run, RunState state, const std::string& text);

}  // namespace kernelgate::service
