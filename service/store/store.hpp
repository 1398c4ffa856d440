// SPDX-License-Identifier: Apache-2.0
#pragma once

// A handle on the store, for those who call service/: cheap to copy, never empty. The database that it was made of
// outlives it. What is done inside a transaction is service/'s own business: others pass the handle on.

#include <utility>

#include "db/store/database.hpp"

namespace kernelgate::service {

class Store {
 public:
  Store(db::Database& database) : database_(&database) {}  // implicit: whoever owns a database passes it as a store

  // For service/ alone: one transaction each, as db::Database says.
  template <class Work>
  [[nodiscard]] auto write(Work work) const {
    return database_->write(std::move(work));
  }
  template <class Work>
  [[nodiscard]] auto read(Work work) const {
    return database_->read(std::move(work));
  }

 private:
  db::Database* database_;
};

}  // namespace kernelgate::service
