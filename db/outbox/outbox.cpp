// SPDX-License-Identifier: Apache-2.0
#include "db/outbox/outbox.hpp"

#include "core/units/digest.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

constexpr std::string_view kSelectMessages =
    "SELECT id, run_id, target, key, phase, status, delivery, remote_id, attempts, next_at, unanswered_at, error, "
    "created_at, ended_at FROM outbox ";

Message read_message(const Statement& row) {
  Message out;
  out.id = row.integer(0);
  out.run = row.id<RunId>(1);
  std::string* const texts[] = {&out.target, &out.key, &out.phase, &out.status, &out.delivery, &out.remote_id};
  for (int i = 0; i < 6; ++i) *texts[i] = row.text(2 + i);
  out.attempts = static_cast<int>(row.integer(8));
  out.next_at = row.instant(9);
  out.unanswered_at = row.maybe_instant(10);
  out.error = row.text(11);
  out.created_at = row.instant(12);
  out.ended_at = row.maybe_instant(13);
  return out;
}

std::vector<Message> read_all(Statement row) {
  std::vector<Message> out;
  while (row.step()) out.push_back(read_message(row));
  return out;
}

}  // namespace

std::vector<RunId> changed_runs(Connection& connection, int limit) {
  Statement row = connection.query("SELECT run_id FROM run_changes ORDER BY run_id LIMIT ?", limit);
  std::vector<RunId> out;
  while (row.step()) out.push_back(row.id<RunId>(0));
  return out;
}

void forget_change(Connection& connection, RunId run) {
  connection.run("DELETE FROM run_changes WHERE run_id = ?", run);
}

bool post_message(Connection& connection, const NewMessage& message, Instant now) {
  {
    Statement newest =
        connection.query("SELECT run_id, phase FROM outbox WHERE key = ? ORDER BY id DESC LIMIT 1", message.key);
    if (newest.step()) {
      const RunId run = newest.id<RunId>(0);
      const std::string phase = newest.text(1);
      if (run.value > message.run.value) return false;
      if (run == message.run && (phase == kFinishedPhase || phase == message.phase)) return false;
    }
  }
  connection.run("UPDATE outbox SET status = 'obsolete', ended_at = ? WHERE key = ? AND status = 'pending'", now,
                 message.key);
  connection.run(
      "INSERT INTO outbox (run_id, target, key, phase, status, delivery, next_at, created_at) "
      "VALUES (?, ?, ?, ?, 'pending', ?, ?, ?)",
      message.run, message.target, message.key, message.phase, random_hex(16), now, now);
  return true;
}

std::vector<Message> due_messages(Connection& connection, std::string_view target, Instant now, int limit) {
  return read_all(connection.query(
      std::string(kSelectMessages) + "WHERE status = 'pending' AND target = ? AND next_at <= ? ORDER BY id LIMIT ?",
      target, now, limit));
}

std::vector<std::string> pending_targets(Connection& connection) {
  Statement row = connection.query("SELECT DISTINCT target FROM outbox WHERE status = 'pending'");
  std::vector<std::string> out;
  while (row.step()) out.push_back(row.text(0));
  return out;
}

void drop_target(Connection& connection, std::string_view target, Instant now) {
  connection.run(
      "UPDATE outbox SET status = 'obsolete', error = 'no longer configured', ended_at = ? "
      "WHERE status = 'pending' AND target = ?",
      now, target);
}

KeyFacts key_facts(Connection& connection, std::string_view key) {
  Statement row = connection.query(
      "SELECT coalesce((SELECT remote_id FROM outbox WHERE key = ?1 AND remote_id <> '' ORDER BY id DESC LIMIT 1), "
      "''), (SELECT max(unanswered_at) FROM outbox WHERE key = ?1)",
      key);
  if (!row.step()) return {};
  return {.remote_id = row.text(0), .unanswered_at = row.maybe_instant(1)};
}

Status begin_attempt(Connection& connection, std::int64_t id, Instant now) {
  connection.run("UPDATE outbox SET attempts = attempts + 1, unanswered_at = ? WHERE id = ? AND status = 'pending'",
                 now, id);
  if (connection.changes() == 0)
    return fail(Errc::conflict, "message " + std::to_string(id) + " is no longer pending", "outbox");
  return {};
}

void end_attempt(Connection& connection, const Message& before, const AttemptEnd& end, Instant now) {
  if (end.answered) connection.run("UPDATE outbox SET unanswered_at = ? WHERE id = ?", before.unanswered_at, before.id);
  connection.run(
      "UPDATE outbox SET status = CASE WHEN status = 'pending' OR ?1 = 'delivered' THEN ?1 ELSE status END, "
      "remote_id = CASE WHEN ?2 <> '' THEN ?2 ELSE remote_id END, error = ?3, next_at = ?4, "
      "ended_at = CASE WHEN status = 'pending' THEN ?5 ELSE ended_at END WHERE id = ?6",
      end.status, end.remote_id, end.error, end.next_at, end.status == "pending" ? std::nullopt : std::optional(now),
      before.id);
}

void postpone_message(Connection& connection, std::int64_t id, Instant next_at) {
  connection.run("UPDATE outbox SET next_at = ? WHERE id = ?", next_at, id);
}

Status retry_message(Connection& connection, std::int64_t id, Instant now) {
  const auto message = get_message(connection, id);
  if (!message) return pass_on(message);
  if (message->status != "gave_up")
    return fail(Errc::conflict, "message " + std::to_string(id) + " was not given up: it is " + message->status,
                "outbox");
  {
    Statement later = connection.query("SELECT 1 FROM outbox WHERE key = ? AND id > ?", message->key, id);
    if (later.step())
      return fail(Errc::conflict, "message " + std::to_string(id) + " is out of date: a later one took its place",
                  "outbox", "retry the later one if it was given up");
  }
  connection.run("UPDATE outbox SET status = 'pending', next_at = ?, created_at = ?, ended_at = NULL WHERE id = ?", now,
                 now, id);
  return {};
}

std::vector<Message> list_messages(Connection& connection, std::string_view status, const Page& page) {
  return read_all(connection.query(
      std::string(kSelectMessages) + "WHERE id < ?1 AND (?2 = '' OR status = ?2) ORDER BY id DESC LIMIT ?3",
      first_below(page), status, row_limit(page)));
}

wire::OutboxMessage to_wire(const Message& message) {
  wire::OutboxMessage out;
  out.id = message.id;
  out.run = message.run.value;
  out.target = message.target;
  out.phase = known(parse_word<wire::Phase>(message.phase), message.phase);
  out.status = known(parse_word<wire::MessageStatus>(message.status), message.status);
  out.delivery = message.delivery;
  out.attempts = message.attempts;
  out.next_at = message.next_at;
  out.error = message.error;
  out.created_at = message.created_at;
  out.ended_at = message.ended_at;
  return out;
}

Result<Message> get_message(Connection& connection, std::int64_t id) {
  Statement row = connection.query(std::string(kSelectMessages) + "WHERE id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no message " + std::to_string(id), "outbox");
  return read_message(row);
}

OutboxCounts count_outbox(Connection& connection) {
  OutboxCounts out;
  {
    Statement row = connection.query("SELECT status, count(*) FROM outbox GROUP BY status");
    while (row.step()) {
      const std::string status = row.text(0);
      std::int64_t& count = status == "pending"     ? out.pending
                            : status == "delivered" ? out.delivered
                            : status == "obsolete"  ? out.obsolete
                                                    : out.gave_up;
      count = row.integer(1);
    }
  }
  Statement row = connection.query("SELECT min(created_at) FROM outbox WHERE status = 'pending'");
  if (row.step()) out.oldest_pending = row.maybe_instant(0);
  return out;
}

void prune_outbox(Connection& connection, Instant until) {
  connection.run("DELETE FROM outbox WHERE ended_at < ?", until);
}

}  // namespace kernelgate::db
