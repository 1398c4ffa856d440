// SPDX-License-Identifier: Apache-2.0
#pragma once

// The audit log: who did what to which thing, when, and why.

#include <vector>

#include "core/wire/accounts.hpp"
#include "db/accounts/audit.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

using db::ActionFilter;

// Newest first.
[[nodiscard]] Result<std::vector<wire::LoggedAction>> list_actions(Store store, const Page& page,
                                                                   const ActionFilter& filter);

}  // namespace kernelgate::service
