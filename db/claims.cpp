// SPDX-License-Identifier: Apache-2.0
#include "db/claims.hpp"

#include "core/wire/codec.hpp"

namespace kernelgate::db {

// One variance a line: the codec speaks of single messages.
void put_claim(Connection& connection, RunId run, int generation, std::span<const StoredVariance> variances) {
  std::string lines;
  for (const StoredVariance& variance : variances) {
    std::string line = wire::encode(variance);
    while (!line.empty() && line.back() == '\n') line.pop_back();
    lines += line + '\n';
  }
  connection.run("INSERT INTO claims (run_id, generation, variances) VALUES (?, ?, ?)", run, generation, lines);
}

std::vector<StoredVariance> claim_variances(Connection& connection, RunId run, int generation) {
  std::vector<StoredVariance> out;
  Statement row = connection.query("SELECT variances FROM claims WHERE run_id = ? AND generation = ?", run, generation);
  if (!row.step()) return out;
  const std::string text = row.text(0);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    auto variance = wire::decode<StoredVariance>(std::string_view(text).substr(at, end - at));
    if (!variance) throw DbError(Error{Errc::corrupt, variance.error().what, "claims", {}});
    out.push_back(std::move(*variance));
    at = end == std::string::npos ? text.size() : end + 1;
  }
  return out;
}

}  // namespace kernelgate::db
