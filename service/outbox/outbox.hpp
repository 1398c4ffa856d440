// SPDX-License-Identifier: Apache-2.0
#pragma once

// What forges and others are still to be told of runs, and what they were told. Who sends asks for what is due, notes
// each attempt before it is made, and how it ended.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/messages.hpp"
#include "core/wire/outbox.hpp"
#include "db/outbox/outbox.hpp"
#include "db/repositories/repositories.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

using db::AttemptEnd;
using db::KeyFacts;
using db::kFinishedPhase;
using db::Message;
using db::NewMessage;
using db::Repository;

// Newest first; `status` empty: any.
[[nodiscard]] Result<std::vector<wire::OutboxMessage>> list_messages(Store store, std::string_view status,
                                                                     const Page& page);
// One that was given up is pending again. Logged as outbox.retry. conflict: it was not given up, or its receiver was
// told more since.
[[nodiscard]] Result<wire::OutboxMessage> retry_message(Store store, std::int64_t id, const std::string& actor,
                                                        Instant now);

// Who is told what of a run as it stands.
using Routing = std::function<std::vector<NewMessage>(const wire::Run& run, const Repository& repository)>;
// Makes the messages of the runs that changed, the oldest `runs_max`. False: none had.
[[nodiscard]] Result<bool> post_messages(Store store, const Routing& routing, int runs_max, Instant now);
// Forgets messages that ended before `until`, and those to targets that are not named.
[[nodiscard]] Status tidy_outbox(Store store, const std::vector<std::string>& targets, Instant until, Instant now);

// Of each target the oldest `limit`, in the order of the targets.
[[nodiscard]] Result<std::vector<Message>> due_messages(Store store, const std::vector<std::string>& targets,
                                                        Instant now, int limit);
// What a message is made of.
struct MessageContents {
  wire::Run run;  // whole, where it is finished
  Repository repository;
  KeyFacts key;
};
[[nodiscard]] Result<MessageContents> contents_of(Store store, const Message& message);
// On disk before the first byte is sent. conflict: it is no longer pending.
[[nodiscard]] Status begin_attempt(Store store, std::int64_t message, Instant now);
[[nodiscard]] Status end_attempt(Store store, const Message& before, const AttemptEnd& end, Instant now);
// Pending, but not before `next_at`.
[[nodiscard]] Status postpone_message(Store store, std::int64_t message, Instant next_at);

}  // namespace kernelgate::service
