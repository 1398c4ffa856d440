// SPDX-License-Identifier: Apache-2.0
#include "service/outbox/outbox.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "db/accounts/audit.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/runs.hpp"
#include "service/ledger/alike.hpp"

namespace kernelgate::service {

Result<std::vector<wire::OutboxMessage>> list_messages(Store store, std::string_view status, const Page& page) {
  return store.read([&](db::Connection& connection) {
    std::vector<wire::OutboxMessage> out;
    for (const Message& message : db::list_messages(connection, status, page)) out.push_back(db::to_wire(message));
    return out;
  });
}

Result<wire::OutboxMessage> retry_message(Store store, std::int64_t id, const std::string& actor, Instant now) {
  return store.write([&](db::Connection& connection) -> Result<wire::OutboxMessage> {
    if (const Status done = db::retry_message(connection, id, now); !done) return pass_on(done);
    db::log_action(connection,
                   {.actor = actor, .action = "outbox.retry", .subject = "message " + std::to_string(id), .detail = {}},
                   now);
    return db::get_message(connection, id).map([](const Message& one) { return db::to_wire(one); });
  });
}

Result<bool> post_messages(Store store, const Routing& routing, int runs_max, Instant now) {
  const auto changed = store.read([&](db::Connection& connection) { return db::changed_runs(connection, runs_max); });
  if (!changed) return pass_on(changed);
  if (changed->empty()) return false;
  return store.write([&](db::Connection& connection) -> Result<bool> {
    for (const RunId id : *changed) {
      const auto run = db::get_run(connection, id);
      if (!run) return pass_on(run);
      const auto repository = db::get_repository(connection, run->repository_id);
      if (!repository) return pass_on(repository);
      for (const NewMessage& message : routing(db::to_wire(*run), *repository))
        db::post_message(connection, message, now);
      db::forget_change(connection, id);
    }
    return true;
  });
}

Status tidy_outbox(Store store, const std::vector<std::string>& targets, Instant until, Instant now) {
  return store.write([&](db::Connection& connection) -> Status {
    for (const std::string& target : db::pending_targets(connection))
      if (std::find(targets.begin(), targets.end(), target) == targets.end()) db::drop_target(connection, target, now);
    db::prune_outbox(connection, until);
    return {};
  });
}

Result<std::vector<Message>> due_messages(Store store, const std::vector<std::string>& targets, Instant now,
                                          int limit) {
  return store.read([&](db::Connection& connection) {
    std::vector<Message> out;
    for (const std::string& target : targets) {
      auto messages = db::due_messages(connection, target, now, limit);
      std::move(messages.begin(), messages.end(), std::back_inserter(out));
    }
    return out;
  });
}

Result<MessageContents> contents_of(Store store, const Message& message) {
  return store.read([&](db::Connection& connection) -> Result<MessageContents> {
    const auto as_it_stands = [](const db::Run& one) { return db::to_wire(one); };
    auto run = message.phase == kFinishedPhase ? whole_run(connection, message.run)
                                               : db::get_run(connection, message.run).map(as_it_stands);
    if (!run) return pass_on(run);
    auto repository = db::get_repository(connection, run->repository);
    if (!repository) return pass_on(repository);
    return MessageContents{std::move(*run), std::move(*repository), db::key_facts(connection, message.key)};
  });
}

Status begin_attempt(Store store, std::int64_t message, Instant now) {
  return store.write([&](db::Connection& connection) { return db::begin_attempt(connection, message, now); });
}

Status end_attempt(Store store, const Message& before, const AttemptEnd& end, Instant now) {
  return store.write([&](db::Connection& connection) { db::end_attempt(connection, before, end, now); });
}

Status postpone_message(Store store, std::int64_t message, Instant next_at) {
  return store.write([&](db::Connection& connection) { db::postpone_message(connection, message, next_at); });
}

}  // namespace kernelgate::service
