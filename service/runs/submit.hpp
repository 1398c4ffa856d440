// SPDX-License-Identifier: Apache-2.0
#pragma once

// From a wish to judge a commit to a run, for all who may wish: triggers, retries, webhooks. Those that take a
// connection are called inside a Database work.

#include <optional>
#include <string>

#include "core/units/limits.hpp"
#include "db/runs/runs.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

// Refs go to git as arguments on the runner: none may look like an option.
[[nodiscard]] Status check_ref(const std::string& ref, const std::string& where);

// Of a trigger's own key, or else of commit and base request. A forced trigger asks for a run of its own each time.
[[nodiscard]] std::string trigger_key(const wire::Trigger& trigger);

struct Submission {
  std::string key;    // the same key is the same run
  bool again = true;  // unless that run ended without a judgement, or its verdict stands no more: then a new one
  int queued_max = limits::kQueuedRunsMax;
  std::optional<Instant> pushed_at{};
};
struct Submitted {
  db::Run run;
  bool queued = false;  // it is new and to be done
  bool is_new = false;
};
// A fork's run is held. What was judged already is answered from the store.
[[nodiscard]] Result<Submitted> submit(db::Connection& connection, const wire::Trigger& trigger,
                                       const Submission& submission, Instant now);

// Repeats a finished run. Asked twice, the same retry is answered. Who may retry may approve: it is not held.
[[nodiscard]] Result<Submitted> retry_run(db::Connection& connection, RunId id, int queued_max, Instant now);

// The same in a transaction of their own, logged as run.trigger and run.retry where a run is new.
[[nodiscard]] Result<Submitted> submit(Store store, const wire::Trigger& trigger, const Submission& submission,
                                       const std::string& actor, Instant now);
[[nodiscard]] Result<Submitted> retry_run(Store store, RunId id, int queued_max, const std::string& actor, Instant now);

}  // namespace kernelgate::service
