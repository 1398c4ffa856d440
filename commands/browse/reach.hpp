// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to commands/browse: reaches the server or the store of a Place.

#include <memory>
#include <utility>

#include "client/client.hpp"
#include "commands/browse/place.hpp"
#include "db/store/database.hpp"

namespace kernelgate::browse {

[[nodiscard]] Result<Client> connect(const Place& place);
// not_found: there is none. A mistyped path must not become a new, empty store.
[[nodiscard]] Result<std::unique_ptr<db::Database>> open_store(const Place& place);

template <class Work>
auto in_store(const Place& place, Work work) -> db::WorkResult<Work> {
  auto database = open_store(place);
  if (!database) return pass_on(database);
  return (*database)->read(std::move(work));
}

}  // namespace kernelgate::browse
