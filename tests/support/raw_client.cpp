// SPDX-License-Identifier: Apache-2.0
#include "tests/support/raw_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace kernelgate::http {

RawClient::RawClient(std::uint16_t port, std::chrono::milliseconds patience, const char* from) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval limit{patience.count() / 1000, (patience.count() % 1000) * 1000};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  sockaddr_in own{};
  own.sin_family = AF_INET;
  ::inet_pton(AF_INET, from, &own.sin_addr);
  if (::bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0 ||
      ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    close();
    throw std::runtime_error("connect failed");
  }
}

RawClient::~RawClient() { close(); }

void RawClient::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

void RawClient::finish_sending() { ::shutdown(socket_, SHUT_WR); }

bool RawClient::send(const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t sent = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    done += static_cast<std::size_t>(sent);
  }
  return true;
}

bool RawClient::more() {
  char chunk[65536];
  const ssize_t got = ::recv(socket_, chunk, sizeof chunk, 0);
  if (got <= 0) return false;
  buffer_.append(chunk, static_cast<std::size_t>(got));
  return true;
}

std::string RawClient::read_until(const std::string& mark) {
  while (buffer_.find(mark) == std::string::npos && more()) continue;
  const auto at = buffer_.find(mark);
  const std::size_t length = at == std::string::npos ? buffer_.size() : at + mark.size();
  std::string out = buffer_.substr(0, length);
  buffer_.erase(0, length);
  return out;
}

bool RawClient::closed() {
  char byte = 0;
  return ::recv(socket_, &byte, 1, 0) == 0 || errno == ECONNRESET;
}

std::optional<RawAnswer> RawClient::read(bool head) {
  const std::string text = read_until("\r\n\r\n");
  if (text.size() < 12 || text.compare(0, 5, "HTTP/") != 0) return std::nullopt;
  RawAnswer out;
  out.status = std::stoi(text.substr(9, 3));
  std::size_t line = text.find("\r\n") + 2;
  while (line < text.size() - 2) {
    const auto end = text.find("\r\n", line);
    const auto colon = text.find(": ", line);
    std::string name = text.substr(line, colon - line);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    out.headers[name] = text.substr(colon + 2, end - colon - 2);
    line = end + 2;
  }
  const auto length = out.headers.find("content-length");
  const std::size_t wanted = head || length == out.headers.end() ? 0 : std::stoul(length->second);
  while (buffer_.size() < wanted && more()) continue;
  if (buffer_.size() < wanted) return std::nullopt;
  out.body = buffer_.substr(0, wanted);
  buffer_.erase(0, wanted);
  return out;
}

std::optional<RawAnswer> RawClient::ask(const std::string& method, const std::string& target,
                                        const std::string& headers, const std::string& body) {
  std::string text = method + " " + target + " HTTP/1.1\r\nHost: test\r\n" + headers;
  if (!body.empty() || method == "POST" || method == "PUT" || method == "PATCH")
    text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  if (!send(text + "\r\n" + body)) return std::nullopt;
  return read(method == "HEAD");
}

}  // namespace kernelgate::http
