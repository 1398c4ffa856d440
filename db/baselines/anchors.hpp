// SPDX-License-Identifier: Apache-2.0
#pragma once

// The anchored baseline, a release, that the default branch is compared with: slow creep shows there although no single
// run fails. Call inside a Database work.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/wire/history.hpp"
#include "db/baselines/baselines.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

struct Anchor {
  Baseline baseline;
  std::map<std::pair<std::string, std::string>, double> medians_ns;             // by suite and benchmark
  std::map<std::pair<std::string, std::string>, std::vector<double>> sessions;  // log level of each stored session
};

struct AnchorLookup {
  std::optional<Anchor> anchor;  // the newest present one of this epoch
  std::string note;              // why there is none although a baseline is anchored: it is of another epoch
};
[[nodiscard]] AnchorLookup find_anchor(Connection& connection, RepositoryId repository, EpochId epoch);

// Pure: the history's newest point, and the ratio of each, over the anchored figure; a benchmark that the baseline does
// not have is left alone.
[[nodiscard]] Status compare_with_anchor(wire::BenchmarkHistory& history, const Anchor& anchor);

}  // namespace kernelgate::db
