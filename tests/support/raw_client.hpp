// SPDX-License-Identifier: Apache-2.0
#pragma once

// A blocking TCP client for tests: sends any bytes and reads answers one by one, so that tests can do what no decent
// client does.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace kernelgate::http {

struct RawAnswer {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class RawClient {
 public:
  // `from`: the loopback address that the server sees, 127.0.0.1 unless given.
  explicit RawClient(std::uint16_t port, std::chrono::milliseconds patience = std::chrono::seconds(20),
                     const char* from = "127.0.0.1");
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool send(const std::string& bytes);
  // The next answer; nothing when the peer closed, or patience ended. `head`: no body follows.
  std::optional<RawAnswer> read(bool head = false);
  std::string read_until(const std::string& mark);  // for streams; what came, even without the mark
  bool closed();                                    // waits until the peer closes
  void close();
  void finish_sending();

  // One request with a Host header, and its answer.
  std::optional<RawAnswer> ask(const std::string& method, const std::string& target, const std::string& headers = {},
                               const std::string& body = {});

 private:
  bool more();
  int socket_ = -1;
  std::string buffer_;
};

}  // namespace kernelgate::http
