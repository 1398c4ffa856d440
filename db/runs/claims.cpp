// SPDX-License-Identifier: Apache-2.0
#include "db/runs/claims.hpp"

#include <string>

#include "core/wire/codec.hpp"

namespace kernelgate::db {
namespace {

// One message a line: the codec speaks of single messages.
template <class Message>
std::string lines_of(std::span<const Message> messages) {
  std::string lines;
  for (const Message& message : messages) {
    std::string line = wire::encode(message);
    while (!line.empty() && line.back() == '\n') line.pop_back();
    lines += line + '\n';
  }
  return lines;
}

template <class Message>
std::vector<Message> read_lines(const std::string& text) {
  std::vector<Message> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    auto message = wire::decode<Message>(std::string_view(text).substr(at, end - at));
    if (!message) throw DbError(Error{Errc::corrupt, message.error().what, "claims", {}});
    out.push_back(std::move(*message));
    at = end == std::string::npos ? text.size() : end + 1;
  }
  return out;
}

std::string text_of(Connection& connection, std::string_view sql, RunId run, int generation) {
  Statement row = connection.query(sql, run, generation);
  return row.step() ? row.text(0) : "";
}

}  // namespace

void put_claim(Connection& connection, RunId run, int generation, std::span<const StoredVariance> variances,
               std::span<const StoredSessions> sessions) {
  connection.run("INSERT INTO claims (run_id, generation, variances, sessions) VALUES (?, ?, ?, ?)", run, generation,
                 lines_of(variances), lines_of(sessions));
}

std::vector<StoredVariance> claim_variances(Connection& connection, RunId run, int generation) {
  return read_lines<StoredVariance>(
      text_of(connection, "SELECT variances FROM claims WHERE run_id = ? AND generation = ?", run, generation));
}

std::vector<StoredSessions> claim_sessions(Connection& connection, RunId run, int generation) {
  return read_lines<StoredSessions>(
      text_of(connection, "SELECT sessions FROM claims WHERE run_id = ? AND generation = ?", run, generation));
}

}  // namespace kernelgate::db
