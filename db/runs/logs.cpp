// SPDX-License-Identifier: Apache-2.0
#include "db/runs/logs.hpp"

#include <algorithm>

#include "core/units/limits.hpp"
#include "db/runs/run_parts.hpp"
#include "db/store/columns.hpp"
#include "db/store/compress.hpp"

namespace kernelgate::db {
namespace {

bool is_log_name(std::string_view name) {
  return !name.empty() && name.size() <= 100 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
}

// The first and last half of a text over the limit.
std::string cut(std::string_view text) {
  constexpr std::size_t kHalf = limits::kLogMax.value / 2;
  if (text.size() <= 2 * kHalf) return std::string(text);
  std::string kept(text.substr(0, kHalf));
  kept += "\n[… " + std::to_string(text.size() - 2 * kHalf) + " bytes left out …]\n";
  kept += text.substr(text.size() - kHalf);
  return kept;
}

}  // namespace

Status put_log(Connection& connection, RunId run, std::string_view name, std::string_view text, Instant now) {
  if (!is_log_name(name)) return fail(Errc::invalid, "a log's name is 1 to 100 of [a-z0-9._-]", "name");
  if (const auto head = unfinished_run(connection, run); !head) return pass_on(head);
  const std::string kept = cut(text);
  connection.run(
      "INSERT INTO logs (run_id, name, original_bytes, kept_bytes, zstd, stored_at) VALUES (?, ?, "
      "?, ?, ?, ?) "
      "ON CONFLICT (run_id, name) DO UPDATE SET original_bytes = excluded.original_bytes, "
      "kept_bytes = excluded.kept_bytes, zstd = excluded.zstd, stored_at = excluded.stored_at",
      run, name, text.size(), kept.size(), compress(kept), now);
  return {};
}

std::vector<LogInfo> list_logs(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT name, kept_bytes, original_bytes, stored_at FROM logs WHERE run_id = ? ORDER BY name "
      "LIMIT ?",
      run, limits::kPageMax);
  std::vector<LogInfo> logs;
  while (row.step()) {
    logs.push_back({.name = row.text(0),
                    .size = Bytes{static_cast<std::uint64_t>(row.integer(1))},
                    .original = Bytes{static_cast<std::uint64_t>(row.integer(2))},
                    .stored_at = row.instant(3)});
  }
  return logs;
}

Result<std::string> get_log(Connection& connection, RunId run, std::string_view name) {
  Statement row = connection.query("SELECT zstd, kept_bytes FROM logs WHERE run_id = ? AND name = ?", run, name);
  if (!row.step())
    return fail(Errc::not_found, "run " + std::to_string(run.value) + " has no log of this name", "name");
  return decompress(row.blob(0), static_cast<std::size_t>(row.integer(1)));
}

}  // namespace kernelgate::db
