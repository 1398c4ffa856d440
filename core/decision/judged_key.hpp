// SPDX-License-Identifier: Apache-2.0
#pragma once

// The key under which a verdict may be reused: everything that could change it. Pure.

#include <cstdint>
#include <string>

namespace kernelgate {

struct JudgedFacts {
  std::int64_t repository = 0;
  std::string base_tree;  // empty: no base
  std::string head_tree, manifest_sha256;
  std::string policy;   // canonical_text
  std::string sandbox;  // "none": measured without one
  std::string session;  // processes that a session times; empty: it is none
  std::int64_t epoch = 0;
  bool untrusted = false;  // head is a fork's: its verdict answers no other run than a fork's
};

[[nodiscard]] std::string judged_key(const JudgedFacts& facts);

}  // namespace kernelgate
