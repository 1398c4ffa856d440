// SPDX-License-Identifier: Apache-2.0
#pragma once

// One who is told of runs: a forge with all its targets, a program's webhook, or a chat room. Takes the messages that
// are due there one at a time, oldest first, and leaves the receiver alone as long as it asks for or seems to need.
// What is not delivered stays in the store. One thread at a time may call; receivers do not wait for one another.

#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include "server/forge/dispatcher.hpp"
#include "service/outbox/outbox.hpp"

namespace kernelgate::forge {

class Receiver {
 public:
  // All outlive it; `github` is null where GitHub is not configured.
  Receiver(service::Store store, const Clock& clock, const Config& config, Github* github, std::string public_url,
           bool plots);

  void add_target(std::string target) { targets_.push_back(std::move(target)); }

  // Sends what is due.
  [[nodiscard]] Status step(const std::stop_token& stop);

 private:
  [[nodiscard]] Status send(const service::Message& message, const std::stop_token& stop);
  [[nodiscard]] service::AttemptEnd end_of(const service::Message& message, const service::KeyFacts& key,
                                           const Outcome& outcome);
  [[nodiscard]] std::chrono::milliseconds pause_after(int attempts);

  service::Store store_;
  const Clock& clock_;
  const Config& config_;
  OutboxDispatcher dispatcher_;
  std::string public_url_;
  bool plots_;
  std::vector<std::string> targets_;
  int failures_ = 0;  // in a row
  Instant not_before_{};
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace kernelgate::forge
