// SPDX-License-Identifier: Apache-2.0
#include "service/accounts/audit.hpp"

namespace kernelgate::service {

Result<std::vector<wire::LoggedAction>> list_actions(Store store, const Page& page, const ActionFilter& filter) {
  return store.read([&](db::Connection& connection) {
    std::vector<wire::LoggedAction> out;
    for (const db::LoggedAction& one : db::list_actions(connection, page, filter)) out.push_back(db::to_wire(one));
    return out;
  });
}

}  // namespace kernelgate::service
