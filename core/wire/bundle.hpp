// SPDX-License-Identifier: Apache-2.0
#pragma once

// A replayable verdict: all that a finished run was judged by, and the decision as it was stored. docs/BUNDLE.md is the
// page for people; db/runs/bundle_file.hpp packs it into a file. encode and decode of codec.hpp know all three
// messages.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"

namespace kernelgate::wire {

inline constexpr std::string_view kBundleFormat = "kernelgate-bundle";
inline constexpr int kBundleVersion = 1;  // of the document's form

// What must be known of a bundle before the rest can be read.
struct BundleHead {
  std::string format;
  int version = 0;
  int rule_version = 0;
};

// Facts of the run that decide nothing.
struct BundleRun {
  std::int64_t id = 0;
  std::string repository, branch, commit, base_commit, head_tree, base_tree, subject, author;
  std::string created_at, finished_at;
  std::string thinned_at;  // when the samples became quantiles; empty: every sample is there
  std::string manifest_sha256;
  std::string policy;     // canonical text
  std::string sandbox{};  // "none": measured without one; empty: in one
  std::uint64_t seed = 0;
  std::int64_t epoch = 0;
  std::map<std::string, std::string> testbed;  // the facts of the epoch
};

struct Bundle {
  std::string format{kBundleFormat};
  int version = kBundleVersion;
  int rule_version = 0;
  std::string program;  // that decided: "kernelgate 0.1.0 (1a2b3c4d5e)"
  BundleRun run;
  std::string manifest;                // text of the effective manifest; empty: the run never got as far as one
  std::vector<StoredVariance> stored;  // that the runner and the decision were given
  RunEvidence evidence;                // with the processes of the generation that finished, samples included
  std::string decision;                // the stored document, word for word
};

}  // namespace kernelgate::wire
