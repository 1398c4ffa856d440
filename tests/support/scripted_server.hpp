// SPDX-License-Identifier: Apache-2.0
#pragma once

// An HTTP server for tests, on a port of 127.0.0.1: answers each request by a function, one connection each, and keeps
// what it was sent. An empty answer closes the connection without a word.

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace kernelgate {

class ScriptedServer {
 public:
  // `answer` gets the request's head and body as sent and its number from 0; it runs on the server's thread.
  using Answer = std::function<std::string(const std::string& request, int number)>;
  explicit ScriptedServer(Answer answer);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::vector<std::string> requests() const;

 private:
  void serve();

  Answer answer_;
  int listener_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

[[nodiscard]] std::string http_answer(int status, const std::string& body, const std::string& more_headers = {});

}  // namespace kernelgate
