// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to commands/browse: reaches the server or the store of a Target.

#include "client/client.hpp"
#include "commands/browse/target.hpp"
#include "service/store/store.hpp"

namespace kernelgate::browse {

[[nodiscard]] Result<Client> connect(const Target& target);
// not_found: there is none. A mistyped path must not become a new, empty store.
[[nodiscard]] Result<service::OpenStore> open_store(const Target& target);

}  // namespace kernelgate::browse
