// SPDX-License-Identifier: Apache-2.0
#include "db/store/migrations.hpp"

#include <chrono>
#include <string>

#include "core/units/digest.hpp"

namespace kernelgate::db {
namespace {

// "kgdb" in ASCII: tells our files from other SQLite files.
constexpr std::int64_t kApplicationId = 0x6b676462;

std::int64_t pragma(Connection& connection, std::string_view name) {
  Statement statement = connection.query("PRAGMA " + std::string(name));
  return statement.step() ? statement.integer(0) : 0;
}

bool has_tables(Connection& connection) {
  Statement statement = connection.query("SELECT count(*) FROM sqlite_master");
  return statement.step() && statement.integer(0) > 0;
}

[[noreturn]] void refuse(Errc code, std::string what, std::string fix) {
  throw DbError(Error{code, std::move(what), {}, std::move(fix)});
}

void create_ledger(Connection& connection) {
  connection.script(
      "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, "
      "sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT");
  connection.script("PRAGMA application_id = " + std::to_string(kApplicationId));
}

void check_applied(Connection& connection, std::span<const Migration> all, std::int64_t version) {
  if (version > static_cast<std::int64_t>(all.size())) {
    refuse(Errc::conflict,
           "the store has schema version " + std::to_string(version) + ", this program knows " +
               std::to_string(all.size()),
           "use the newer program, or a backup made before its migration");
  }
  Statement applied = connection.query("SELECT number, name, sha256 FROM migrations ORDER BY number");
  std::int64_t count = 0;
  while (applied.step()) {
    ++count;
    if (applied.integer(0) != count || count > version)
      refuse(Errc::corrupt, "the store's list of migrations does not match its schema version", "restore a backup");
    const Migration& ours = all[static_cast<std::size_t>(count - 1)];
    if (applied.text(2) != sha256_hex(ours.sql)) {
      refuse(Errc::conflict, "migration " + applied.text(1) + " was edited after it had been applied to this store",
             "put the old text back and write a new migration instead");
    }
  }
  if (count != version)
    refuse(Errc::corrupt, "the store's list of migrations does not match its schema version", "restore a backup");
}

void apply(Connection& connection, const Migration& migration) {
  connection.script(std::string(migration.sql));
  const Instant now = SystemClock{}.now();
  connection.run("INSERT INTO migrations (number, name, sha256, applied_at) VALUES (?, ?, ?, ?)", migration.number,
                 migration.name, sha256_hex(migration.sql), now);
  connection.script("PRAGMA user_version = " + std::to_string(migration.number));
}

// The store's version; 0 is a new file's.
std::int64_t checked_version(Connection& connection, std::span<const Migration> all) {
  const std::int64_t version = pragma(connection, "user_version");
  if (version == 0 ? has_tables(connection) : pragma(connection, "application_id") != kApplicationId)
    refuse(Errc::invalid, "the file is an SQLite database, but no kernelgate store", "give another path");
  if (version > 0) check_applied(connection, all, version);
  return version;
}

bool is_current(Connection& connection, std::span<const Migration> all) {
  Transaction snapshot(connection, Transaction::Kind::read);  // opening need not wait for another program's writing
  return checked_version(connection, all) == static_cast<std::int64_t>(all.size());
}

}  // namespace

std::optional<std::int64_t> outdated_version(Connection& connection, std::span<const Migration> all) {
  Transaction snapshot(connection, Transaction::Kind::read);
  const std::int64_t version = checked_version(connection, all);
  if (version == 0 || version == static_cast<std::int64_t>(all.size())) return std::nullopt;
  return version;
}

void migrate(Connection& connection, std::span<const Migration> all) {
  if (is_current(connection, all)) return;
  // One transaction for all of them: another program sees the state before or the state after, and two never migrate
  // at once.
  Transaction transaction(connection);
  const std::int64_t version = checked_version(connection, all);
  if (version == 0) create_ledger(connection);
  for (const Migration& migration : all.subspan(static_cast<std::size_t>(version))) apply(connection, migration);
  transaction.commit();
}

}  // namespace kernelgate::db
