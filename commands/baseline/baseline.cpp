// SPDX-License-Identifier: Apache-2.0
#include "commands/baseline/baseline.hpp"

namespace kernelgate::local {

Result<std::unique_ptr<Baselines>> Baselines::open(const BaselineTarget& place) {
  if (place.server.empty()) {
    if (!place.repository.empty() && place.database.empty())
      return fail(Errc::invalid, "a repository's name is for a server or a store", "--repository",
                  "add --server URL or --db FILE");
    return open_local_baselines(place);
  }
  if (place.repository.empty())
    return fail(Errc::invalid, "which of the server's repositories is not said", "--repository", "give its name");
  return open_remote_baselines(place);
}

Result<wire::PruneReply> prune(const BaselineTarget& place, const wire::PruneRequest& request) {
  return place.server.empty() ? prune_local(place, request) : prune_remote(place, request);
}

}  // namespace kernelgate::local
