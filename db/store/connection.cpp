// SPDX-License-Identifier: Apache-2.0
#include "db/store/connection.hpp"

#include <sqlite3.h>

#include <cassert>
#include <chrono>
#include <thread>
#include <utility>

#include "db/store/sqlite_state.hpp"

namespace kernelgate::db {
namespace {

Errc errc_of(int code) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return Errc::unavailable;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return Errc::corrupt;
    case SQLITE_CONSTRAINT: return Errc::conflict;
    case SQLITE_TOOBIG: return Errc::too_large;
    default: return Errc::io;
  }
}

std::string fix_for(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL: return "the disk is full: free some space; what was committed is safe";
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "another program holds the store: try again";
    case SQLITE_CORRUPT: return "stop the server and restore the last backup";
    case SQLITE_NOTADB: return "give the path of a kernelgate store";
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY: return "check that the folder exists and may be written";
    default: return {};
  }
}

// SQLite's own waiting sleeps 100 ms at a time in the end: beside programs that write one transaction after another it
// finds the lock taken at each look. `state` is a Connection::State.
int wait_while_busy(void* state, int looks) {
  auto& waiting = *static_cast<Connection::State*>(state);
  const auto now = std::chrono::steady_clock::now();
  if (looks == 0) waiting.busy_since = now;
  if (now - waiting.busy_since >= waiting.busy_timeout) return 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(looks < 5 ? 1 : 5));
  return 1;
}

// SQLite does not wait where two that create a file both change its mode: each has read it, and one has to give way
// (sqlite.org/c3ref/busy_handler.html).
void set_wal(Connection& connection, Connection::State& state) {
  for (int looks = 0;; ++looks) {
    try {
      return connection.script("PRAGMA journal_mode = WAL");
    } catch (const DbError& fault) {
      if (fault.error().code != Errc::unavailable || wait_while_busy(&state, looks) == 0) throw;
    }
  }
}

}  // namespace

void throw_sqlite(sqlite3* handle, int code, std::string_view doing) {
  std::string what = "the store: ";
  what += doing;
  what += ": ";
  what += sqlite3_errstr(code);
  const std::string detail = handle ? sqlite3_errmsg(handle) : "";
  if (!detail.empty() && detail != sqlite3_errstr(code)) what += " (" + detail + ")";
  const char* file = handle ? sqlite3_db_filename(handle, "main") : nullptr;
  throw DbError(Error{errc_of(code), std::move(what), file ? file : "", fix_for(code)});
}

Connection::Connection(const std::filesystem::path& file, const ConnectionOptions& options)
    : state_(std::make_unique<State>()) {
  const int flags =
      options.mode == OpenMode::read_write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  state_->handle.reset(handle);
  state_->file = file.string();
  if (code != SQLITE_OK) throw_sqlite(handle, code, "open " + state_->file);
  sqlite3_extended_result_codes(handle, 1);
  state_->busy_timeout = options.busy_timeout;
  sqlite3_busy_handler(handle, wait_while_busy, state_.get());
  script("PRAGMA foreign_keys = ON");
  if (options.mode == OpenMode::read_only) {
    script("PRAGMA query_only = ON");
    return;
  }
  set_wal(*this, *state_);
  script("PRAGMA synchronous = FULL");
  if (options.max_pages > 0) {
    script("PRAGMA max_page_count = " + std::to_string(options.max_pages));
  }
}

Connection::~Connection() = default;
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;

void Connection::script(const std::string& sql) {
  const int code = sqlite3_exec(state_->handle.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw_sqlite(state_->handle.get(), code, sql.substr(0, 60));
}

Statement Connection::prepare(std::string_view sql) {
  auto [first, last] = state_->prepared.equal_range(sql);
  for (; first != last; ++first) {
    if (!first->second->in_use) return Statement(*first->second);
  }
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v3(state_->handle.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  auto prepared = std::make_unique<Prepared>();
  prepared->statement.reset(raw);
  prepared->handle = state_->handle.get();
  if (code != SQLITE_OK) throw_sqlite(state_->handle.get(), code, sql.substr(0, 60));
  return Statement(*state_->prepared.emplace(std::string(sql), std::move(prepared))->second);
}

std::int64_t Connection::last_insert_id() const { return sqlite3_last_insert_rowid(state_->handle.get()); }
std::int64_t Connection::changes() const { return sqlite3_changes64(state_->handle.get()); }
bool Connection::in_transaction() const { return sqlite3_get_autocommit(state_->handle.get()) == 0; }

Transaction::Transaction(Connection& connection, Kind kind) : connection_(&connection) {
  connection.script(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  if (!open_ || !connection_->in_transaction()) return;  // a full disk rolls back by itself
  sqlite3_exec(connection_->state().handle.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  assert(open_);
  connection_->script("COMMIT");
  open_ = false;
}

}  // namespace kernelgate::db
