// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to service/: one transaction about the repository of a name.

#include <string_view>
#include <utility>

#include "db/repositories/repositories.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

// `work` takes the connection and the repository's id, and returns a Result. not_found: no such repository.
template <class Work>
auto read_of(Store store, std::string_view repository, Work work) {
  using Answer = std::invoke_result_t<Work&, db::Connection&, RepositoryId>;
  return store.read([&](db::Connection& connection) -> Answer {
    const auto named = db::get_repository(connection, repository);
    if (!named) return pass_on(named);
    return work(connection, named->id);
  });
}

template <class Work>
auto write_of(Store store, std::string_view repository, Work work) {
  using Answer = std::invoke_result_t<Work&, db::Connection&, RepositoryId>;
  return store.write([&](db::Connection& connection) -> Answer {
    const auto named = db::get_repository(connection, repository);
    if (!named) return pass_on(named);
    return work(connection, named->id);
  });
}

}  // namespace kernelgate::service
