// SPDX-License-Identifier: Apache-2.0
#include "commands/baseline/baseline.hpp"

namespace kernelgate::local {

Result<std::unique_ptr<Baselines>> Baselines::open(const BaselineTarget& target) {
  if (target.server.empty()) {
    if (!target.repository.empty() && target.database.empty())
      return fail(Errc::invalid, "a repository's name is for a server or a store", "--repository",
                  "add --server URL or --db FILE");
    return open_local_baselines(target);
  }
  if (target.repository.empty())
    return fail(Errc::invalid, "which of the server's repositories is not said", "--repository", "give its name");
  return open_remote_baselines(target);
}

Result<wire::PruneReply> prune(const BaselineTarget& target, const wire::PruneRequest& request) {
  return target.server.empty() ? prune_local(target, request) : prune_remote(target, request);
}

}  // namespace kernelgate::local
