// SPDX-License-Identifier: Apache-2.0
#pragma once

// Triggers that wait for the server, as files in <git dir>/kernelgate/queue: written whole or not at all, sent in the
// order they came in, removed once the server has them. Safe between processes; what the server refuses for good is
// kept aside in `refused`, so that it does not block the rest.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "client/client.hpp"
#include "core/units/limits.hpp"
#include "core/units/result.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::hook {

struct Sent {
  std::string name;  // of the entry
  wire::Trigger trigger;
  Result<wire::TriggerReply> reply;  // an error here: refused for good
};

struct Flush {
  std::vector<Sent> sent;
  std::size_t left = 0;       // entries still waiting
  std::optional<Error> away;  // why sending stopped, if it did
};

class Queue {
 public:
  explicit Queue(const std::filesystem::path& git_folder, int entries_max = limits::kHookQueueMax);

  // The entry's name. Errc::too_many when the queue is full.
  [[nodiscard]] Result<std::string> add(const wire::Trigger& trigger);
  // Sends the entries in order until one meets an absent server.
  [[nodiscard]] Result<Flush> flush(Client& client);

  [[nodiscard]] std::vector<std::string> waiting() const;  // names, oldest first
  [[nodiscard]] std::vector<std::string> refused() const;
  // Puts what was refused back at its old place. How many there were.
  [[nodiscard]] std::size_t requeue_refused();
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  [[nodiscard]] bool send(Client& client, const std::string& name, Flush& flush);

  std::filesystem::path folder_;
  std::filesystem::path refused_;
  int entries_max_;
};

}  // namespace kernelgate::hook
