// SPDX-License-Identifier: Apache-2.0
#pragma once

// The anchored baseline, a release, that the default branch is compared with: slow creep shows there although no single
// run fails. Call inside a Database work.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db/baselines/baselines.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

struct Anchor {
  Baseline baseline;
  std::map<std::pair<std::string, std::string>, double> medians_ns;             // by suite and benchmark
  std::map<std::pair<std::string, std::string>, std::vector<double>> sessions;  // log level of each stored session
};

struct AnchorLookup {
  std::optional<Anchor> anchor;              // the newest present one of this epoch
  std::optional<Baseline> of_another_epoch;  // where there is none: its times are not comparable
};
[[nodiscard]] AnchorLookup find_anchor(Connection& connection, RepositoryId repository, EpochId epoch);

}  // namespace kernelgate::db
