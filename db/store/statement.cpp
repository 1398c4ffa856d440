// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include <cassert>
#include <utility>

#include "db/store/connection.hpp"
#include "db/store/sqlite_state.hpp"

namespace kernelgate::db {
namespace {

void check(const Prepared& prepared, int code) {
  if (code != SQLITE_OK) throw_sqlite(prepared.handle, code, "bind");
}

}  // namespace

Statement::Statement(Prepared& prepared) : prepared_(&prepared) {
  assert(!prepared.in_use);
  prepared.in_use = true;
}

Statement::Statement(Statement&& other) noexcept : prepared_(std::exchange(other.prepared_, nullptr)) {}

Statement::~Statement() {
  if (!prepared_) return;
  sqlite3_reset(prepared_->statement.get());
  sqlite3_clear_bindings(prepared_->statement.get());
  prepared_->in_use = false;
}

void Statement::bind(int index, std::nullptr_t) {
  check(*prepared_, sqlite3_bind_null(prepared_->statement.get(), index));
}
void Statement::bind(int index, double value) {
  check(*prepared_, sqlite3_bind_double(prepared_->statement.get(), index, value));
}
void Statement::bind(int index, std::string_view value) {
  const char* data = value.data() ? value.data() : "";  // a null pointer would bind NULL
  check(*prepared_,
        sqlite3_bind_text64(prepared_->statement.get(), index, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}
void Statement::bind(int index, std::span<const std::byte> value) {
  const void* data = value.data() ? static_cast<const void*>(value.data()) : "";
  check(*prepared_, sqlite3_bind_blob64(prepared_->statement.get(), index, data, value.size(), SQLITE_TRANSIENT));
}
void Statement::bind_integer(int index, std::int64_t value) {
  check(*prepared_, sqlite3_bind_int64(prepared_->statement.get(), index, value));
}

bool Statement::step() {
  const int code = sqlite3_step(prepared_->statement.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  throw_sqlite(prepared_->handle, code, std::string_view(sqlite3_sql(prepared_->statement.get())).substr(0, 60));
}

void Statement::run() {
  [[maybe_unused]] const bool row = step();
  assert(!row);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(prepared_->statement.get(), column) == SQLITE_NULL;
}
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(prepared_->statement.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(prepared_->statement.get(), column); }
std::string Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(prepared_->statement.get(), column));
  if (!data) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(prepared_->statement.get(), column))};
}
std::span<const std::byte> Statement::blob(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(prepared_->statement.get(), column));
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(prepared_->statement.get(), column))};
}
std::optional<std::int64_t> Statement::maybe_integer(int column) const {
  if (is_null(column)) return std::nullopt;
  return integer(column);
}
std::optional<double> Statement::maybe_real(int column) const {
  if (is_null(column)) return std::nullopt;
  return real(column);
}
std::optional<Instant> Statement::maybe_instant(int column) const {
  if (is_null(column)) return std::nullopt;
  return instant(column);
}

}  // namespace kernelgate::db
