// SPDX-License-Identifier: Apache-2.0
#pragma once

// What forges and others are still to be told of runs. A change of a run notes itself in the transaction that makes it
// (triggers of the schema); whoever sends turns changes into messages, and messages into deliveries. A message names
// its run and phase alone: its text is made when it is sent. Call inside a Database work.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/outbox.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

// Runs that changed since forget_change, oldest first.
[[nodiscard]] std::vector<RunId> changed_runs(Connection& connection, int limit);
void forget_change(Connection& connection, RunId run);

// The phase of a run that has ended; no other follows it.
inline constexpr std::string_view kFinishedPhase = "finished";

struct NewMessage {
  RunId run;
  std::string target;  // who is told: github-status, webhook:NAME …
  std::string key;     // what the message overwrites: the later one of a key counts
  std::string phase;   // held, queued, building, measuring, finished
};

// False, and nothing is written, where the key was told as much: of a newer run, of this run's end, or just this. Else
// what is pending in the key becomes obsolete.
bool post_message(Connection& connection, const NewMessage& message, Instant now);

struct Message {
  std::int64_t id = 0;
  RunId run;
  std::string target, key, phase;
  std::string status;     // pending, delivered, obsolete, gave_up
  std::string delivery;   // random; the same for each attempt
  std::string remote_id;  // of what was made over there
  int attempts = 0;
  Instant next_at{};                     // not before
  std::optional<Instant> unanswered_at;  // of the last attempt that nobody answered: the other side may have heard it
  std::string error;                     // of the last attempt
  Instant created_at{};
  std::optional<Instant> ended_at;
};

// Pending and due at one target, oldest first.
[[nodiscard]] std::vector<Message> due_messages(Connection& connection, std::string_view target, Instant now,
                                                int limit);
// Targets with something pending.
[[nodiscard]] std::vector<std::string> pending_targets(Connection& connection);
// Whoever is no longer to be told of anything.
void drop_target(Connection& connection, std::string_view target, Instant now);

// What earlier messages of a key left behind.
struct KeyFacts {
  std::string remote_id;                 // the newest known
  std::optional<Instant> unanswered_at;  // the newest
};
[[nodiscard]] KeyFacts key_facts(Connection& connection, std::string_view key);

// On disk before the first byte is sent. conflict: it is no longer pending.
[[nodiscard]] Status begin_attempt(Connection& connection, std::int64_t id, Instant now);

struct AttemptEnd {
  bool answered = true;
  std::string status = "pending";
  std::string remote_id{};  // empty: keep what is known
  std::string error{};
  Instant next_at{};
};
// `before` is the message as it was before the attempt. One that became obsolete meanwhile never becomes pending again.
void end_attempt(Connection& connection, const Message& before, const AttemptEnd& end, Instant now);

// Pending, but not before `next_at`.
void postpone_message(Connection& connection, std::int64_t id, Instant next_at);

// One that was given up is pending again. not_found; conflict: it was not given up, or its key was told more since.
[[nodiscard]] Status retry_message(Connection& connection, std::int64_t id, Instant now);

[[nodiscard]] std::vector<Message> list_messages(Connection& connection, std::string_view status, const Page& page);
[[nodiscard]] wire::OutboxMessage to_wire(const Message& message);
[[nodiscard]] Result<Message> get_message(Connection& connection, std::int64_t id);

struct OutboxCounts {
  std::int64_t pending = 0, delivered = 0, obsolete = 0, gave_up = 0;
  std::optional<Instant> oldest_pending;
};
[[nodiscard]] OutboxCounts count_outbox(Connection& connection);

// Removes messages that ended before `until`.
void prune_outbox(Connection& connection, Instant until);

}  // namespace kernelgate::db
