// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to commands/browse: reaches the server or the store of a Target.

#include <memory>
#include <utility>

#include "client/client.hpp"
#include "commands/browse/target.hpp"
#include "db/store/database.hpp"

namespace kernelgate::browse {

[[nodiscard]] Result<Client> connect(const Target& place);
// not_found: there is none. A mistyped path must not become a new, empty store.
[[nodiscard]] Result<std::unique_ptr<db::Database>> open_store(const Target& place);

template <class Work>
auto in_store(const Target& place, Work work) -> db::WorkResult<Work> {
  auto database = open_store(place);
  if (!database) return pass_on(database);
  return (*database)->read(std::move(work));
}

}  // namespace kernelgate::browse
