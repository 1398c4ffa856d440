// SPDX-License-Identifier: Apache-2.0
#include "local/baseline/baseline.hpp"

namespace kernelgate::local {

Result<std::unique_ptr<Baselines>> Baselines::open(const BaselinePlace& place) {
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

}  // namespace kernelgate::local
