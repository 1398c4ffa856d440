// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to db/: what stands behind Connection and Statement, and how SQLite's codes become
// errors.

#include <sqlite3.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "db/store/connection.hpp"

namespace kernelgate::db {

struct CloseDb {
  void operator()(sqlite3* handle) const noexcept { sqlite3_close_v2(handle); }
};
using DbHandle = std::unique_ptr<sqlite3, CloseDb>;

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};

struct Prepared {
  std::unique_ptr<sqlite3_stmt, FinalizeStatement> statement;
  sqlite3* handle = nullptr;
  bool in_use = false;
};

struct Connection::State {
  DbHandle handle;
  std::string file;
  Millis busy_timeout{};
  std::chrono::steady_clock::time_point busy_since{};
  // Declared after the handle, so that statements go first. Equal texts may be in use at once:
  // hence several.
  std::multimap<std::string, std::unique_ptr<Prepared>, std::less<>> prepared;
};

// Throws the DbError that `code` means; `doing` names what was tried.
[[noreturn]] void throw_sqlite(sqlite3* handle, int code, std::string_view doing);

}  // namespace kernelgate::db
