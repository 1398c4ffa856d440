// SPDX-License-Identifier: Apache-2.0
#pragma once

// Empties the outbox: turns changes of runs into messages and takes them to their targets, on one thread of its own,
// one request at a time. What is not delivered stays in the store and is tried again, also by the next server.

#include <map>
#include <random>
#include <stop_token>
#include <string>
#include <thread>

#include "db/database.hpp"
#include "db/outbox.hpp"
#include "server/forge/courier.hpp"

namespace kernelgate::forge {

class Sender {
 public:
  // All outlive it; `github` is null where GitHub is not configured. `public_url` is how people reach the server.
  Sender(db::Database& database, const Clock& clock, const Config& config, Github* github, std::string public_url);
  ~Sender();  // stops
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  void start();
  // Breaks off the exchange under way: what it was about stays in the outbox. Before the store stops.
  void stop();

  // One round: what changed becomes messages, what is due is sent. The thread does nothing else, and rests between.
  [[nodiscard]] Status step(const std::stop_token& stop = {});

 private:
  struct Endpoint {
    int failures = 0;
    Instant not_before{};
  };
  [[nodiscard]] Status route();
  [[nodiscard]] Status tidy_up();
  [[nodiscard]] Result<std::vector<db::Message>> due();
  [[nodiscard]] Status send(const db::Message& message, const std::stop_token& stop);
  [[nodiscard]] db::AttemptEnd end_of(const db::Message& message, const db::LaneFacts& lane, const Outcome& outcome);
  [[nodiscard]] std::chrono::milliseconds pause_after(int attempts);
  void loop(const std::stop_token& stop);

  db::Database& database_;
  const Clock& clock_;
  const Config& config_;
  Courier courier_;
  std::string public_url_;
  std::vector<std::string> targets_;
  std::map<std::string, Endpoint> endpoints_;
  Instant tidied_at_{};
  std::minstd_rand random_{std::random_device{}()};
  std::jthread thread_;
};

}  // namespace kernelgate::forge
