// SPDX-License-Identifier: Apache-2.0
#pragma once

// Empties the outbox: turns changes of runs into messages, on one thread, and takes them to their receivers, each on a
// thread of its own: one that hangs or is away delays nobody else. What is not delivered stays in the store and is
// tried again, also by the next server.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "server/forge/receiver.hpp"

namespace kernelgate::forge {

class Sender {
 public:
  // All outlive it; `github` is null where GitHub is not configured. `public_url` is how people reach the server;
  // `plots`: also whoever reads a comment, without a token.
  Sender(service::Store store, const Clock& clock, const Config& config, Github* github, const std::string& public_url,
         bool plots = false);
  ~Sender();  // stops
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  void start();
  // Breaks off the exchanges under way: what they were about stays in the outbox. Before the store stops.
  void stop();

  // One round without the threads, receiver after receiver.
  [[nodiscard]] Status step();

 private:
  [[nodiscard]] Status make_messages();
  [[nodiscard]] Status route();
  [[nodiscard]] Status tidy_up();
  void route_on(const std::stop_token& stop);
  void send_on(Receiver& receiver, const std::stop_token& stop);

  service::Store store_;
  const Clock& clock_;
  const Config& config_;
  std::vector<std::string> targets_;
  std::vector<std::unique_ptr<Receiver>> receivers_;
  Instant tidied_at_{};
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::atomic<std::uint64_t> routed_{0};  // rounds in which messages were made; sleepers look at it
  std::vector<std::jthread> threads_;
};

}  // namespace kernelgate::forge
