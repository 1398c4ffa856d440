// SPDX-License-Identifier: Apache-2.0
#pragma once

// One SQLite connection and its statements, free of SQLite's types. WAL, foreign keys on, busy
// timeout, full sync. A Connection belongs to one thread at a time; Statements borrow it and must
// die before it does. Faults of the store (disk full, busy, damaged file) are thrown as DbError;
// Database turns them into a Result.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/units/result.hpp"
#include "core/units/strong.hpp"
#include "core/units/time.hpp"

namespace kernelgate::db {

// A fault of the store: ends the work at hand. `error.code` is io, corrupt, unavailable or
// conflict.
class DbError : public std::runtime_error {
 public:
  explicit DbError(Error error) : std::runtime_error(to_string(error)), error_(std::move(error)) {}
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  Error error_;
};

class Connection;
struct Prepared;  // a compiled statement, kept by its Connection for the next use of the same text

// One execution of a statement. Parameters are bound by position from 1, columns read by position
// from 0.
class Statement {
 public:
  explicit Statement(Prepared& prepared);
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;

  void bind(int index, std::nullptr_t);
  void bind(int index, double value);
  void bind(int index, std::string_view value);
  void bind(int index, std::span<const std::byte> value);
  void bind(int index, Instant value) { bind_integer(index, to_millis(value)); }
  template <std::integral T>
  void bind(int index, T value) {
    bind_integer(index, static_cast<std::int64_t>(value));
  }
  template <class Tag, class T>
  void bind(int index, Strong<Tag, T> value) {
    bind(index, value.value);
  }
  void bind(int index, const std::string& value) { bind(index, std::string_view(value)); }
  void bind(int index, const char* value) { bind(index, std::string_view(value)); }
  template <class T>
  void bind(int index, const std::optional<T>& value) {
    if (value) {
      bind(index, *value);
    } else {
      bind(index, nullptr);
    }
  }

  [[nodiscard]] bool step();  // true: a row stands ready
  void run();                 // for statements without rows

  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string text(int column) const;
  // Valid until the next step.
  [[nodiscard]] std::span<const std::byte> blob(int column) const;
  [[nodiscard]] bool boolean(int column) const { return integer(column) != 0; }
  [[nodiscard]] Instant instant(int column) const { return from_millis(integer(column)); }
  [[nodiscard]] std::optional<std::int64_t> maybe_integer(int column) const;
  [[nodiscard]] std::optional<double> maybe_real(int column) const;
  [[nodiscard]] std::optional<Instant> maybe_instant(int column) const;
  template <class Id>
  [[nodiscard]] Id id(int column) const {
    return Id{integer(column)};
  }
  template <class Id>
  [[nodiscard]] std::optional<Id> maybe_id(int column) const {
    if (is_null(column)) return std::nullopt;
    return Id{integer(column)};
  }

 private:
  void bind_integer(int index, std::int64_t value);
  Prepared* prepared_;
};

enum class OpenMode { read_write, read_only };

struct ConnectionOptions {
  OpenMode mode = OpenMode::read_write;
  Millis busy_timeout{5000};
  std::int64_t max_pages = 0;  // over 0: the file may not grow past this many pages
};

class Connection {
 public:
  // Throws DbError. read_write creates the file where it is absent.
  explicit Connection(const std::filesystem::path& file, const ConnectionOptions& options = {});
  ~Connection();
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;

  template <class... Values>
  [[nodiscard]] Statement query(std::string_view sql, const Values&... values) {
    Statement statement = prepare(sql);
    int index = 0;
    (statement.bind(++index, values), ...);
    return statement;
  }
  template <class... Values>
  void run(std::string_view sql, const Values&... values) {
    query(sql, values...).run();
  }
  // Several statements without parameters.
  void script(const std::string& sql);

  [[nodiscard]] std::int64_t last_insert_id() const;
  [[nodiscard]] std::int64_t changes() const;  // rows the last statement changed
  [[nodiscard]] bool in_transaction() const;

  struct State;
  [[nodiscard]] State& state() { return *state_; }  // for db/ alone

 private:
  [[nodiscard]] Statement prepare(std::string_view sql);
  std::unique_ptr<State> state_;
};

// Rolls back unless committed. `write` takes the write lock at once; `read` holds one snapshot.
class Transaction {
 public:
  enum class Kind { write, read };
  explicit Transaction(Connection& connection, Kind kind = Kind::write);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Connection* connection_;
  bool open_ = true;
};

}  // namespace kernelgate::db
