// SPDX-License-Identifier: Apache-2.0
#pragma once

// The key under which a verdict may be reused: everything that could change it. Pure.

#include <string>

#include "core/units/strong.hpp"

namespace kernelgate::api {

struct JudgedFacts {
  RepositoryId repository;
  std::string base_tree;  // empty: no base
  std::string head_tree, manifest_sha256;
  std::string policy;  // canonical_text
  EpochId epoch;
};

[[nodiscard]] std::string judged_key(const JudgedFacts& facts);

}  // namespace kernelgate::api
