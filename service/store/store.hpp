// SPDX-License-Identifier: Apache-2.0
#pragma once

// A handle on the store, for those who call service/: cheap to copy, never empty. The database that it was made of
// outlives it. What is done inside a transaction is service/'s own business: others pass the handle on.

#include <filesystem>
#include <memory>
#include <utility>

#include "db/store/database.hpp"
#include "db/store/page.hpp"

namespace kernelgate::service {

using db::Page;
using db::row_limit;

// While it lives, what its thread reads waits for no other reading: for runners, webhooks and the looking at tokens.
class ReservedReading {
 public:
  explicit ReservedReading(bool on = true) : before_(std::exchange(active, on || active)) {}
  ~ReservedReading() { active = before_; }
  ReservedReading(const ReservedReading&) = delete;
  ReservedReading& operator=(const ReservedReading&) = delete;
  [[nodiscard]] static bool is_on() { return active; }

 private:
  static inline thread_local bool active = false;
  bool before_;
};

class Store {
 public:
  Store(db::Database& database) : database_(&database) {}  // implicit: whoever owns a database passes it as a store

  // For service/ alone.
  [[nodiscard]] db::Database& database() const { return *database_; }
  // For service/ alone: one transaction each, as db::Database says.
  template <class Work>
  [[nodiscard]] auto write(Work work) const {
    return database_->write(std::move(work));
  }
  template <class Work>
  [[nodiscard]] auto read(Work work) const {
    return ReservedReading::is_on() ? database_->read_reserved(std::move(work)) : database_->read(std::move(work));
  }

 private:
  db::Database* database_;
};

// A store that is open as long as this lives: of a command that works on a file.
class OpenStore {
 public:
  // Creates or migrates the file. Errors: those of db::Database::open.
  [[nodiscard]] static Result<OpenStore> open(const std::filesystem::path& file,
                                              const db::DatabaseOptions& options = {}) {
    auto database = db::Database::open(file, options);
    if (!database) return pass_on(database);
    return OpenStore(std::move(*database));
  }
  operator Store() const { return *database_; }
  // Takes no more work and does what is queued.
  void stop() { database_->stop(); }

 private:
  explicit OpenStore(std::unique_ptr<db::Database> database) : database_(std::move(database)) {}
  std::unique_ptr<db::Database> database_;
};

}  // namespace kernelgate::service
