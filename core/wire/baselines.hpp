// SPDX-License-Identifier: Apache-2.0
#pragma once

// Acts on baselines and accepted regressions, as people and cron ask a server for them. Plain structs; codec.hpp turns
// them into JSON and back.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units/time.hpp"

namespace kernelgate::wire {

struct Baseline {
  std::int64_t id = 0, run = 0, epoch = 0;
  std::string name, commit, actor, reason;
  Instant promoted_at{};
  std::optional<Instant> replaced_at;
  bool anchor = false;
  int sessions = 0;  // stored, of its commit and epoch
};
struct BaselinePage {
  std::vector<Baseline> baselines;
  std::optional<std::string> next;
};
struct BaselineBenchmark {
  std::string suite, benchmark;
  double median_ns = 0;
  int processes = 0;
};
struct WholeBaseline {
  Baseline baseline;
  std::vector<BaselineBenchmark> benchmarks;
};

struct Promotion {
  std::string repository;
  std::int64_t run = 0;
  std::string name, reason;
  bool anchor = false;
};

struct RemeasureRequest {
  std::string repository;
  std::string name;  // of a baseline; empty: all present ones
  int processes = 2;
};
struct Remeasured {
  std::string name, commit;
  std::optional<std::int64_t> run;  // its session, queued or done
  std::string why_not;              // where there is none
};
struct RemeasureReply {
  std::vector<Remeasured> baselines;
};

struct AcceptRequest {
  std::string repository;
  std::int64_t run = 0;
  std::string match;  // regular expression, searched in benchmark names
  std::string reason;
  int expires_in_days = 0;  // 0: never
};
struct AcceptedBenchmark {
  std::string suite, benchmark;
  double ratio = 1, head_median_ns = 0;
};
struct AcknowledgementRecord {
  std::int64_t id = 0, run = 0, epoch = 0;
  std::string match, actor, reason;
  Instant accepted_at{};
  std::optional<Instant> expires_at, revoked_at;
  std::string revoked_by, revoked_reason;
  std::optional<std::int64_t> pull_request{};  // it holds for that one's runs alone until `merged_at`
  std::optional<Instant> merged_at{};
  std::vector<AcceptedBenchmark> benchmarks;
};
struct AcknowledgementPage {
  std::vector<AcknowledgementRecord> acknowledgements;
  std::optional<std::string> next;
};
// kernelgate baseline list --format json
struct BaselineDocument {
  int schema = 1;
  std::vector<Baseline> baselines;  // newest first
  std::vector<AcknowledgementRecord> acknowledgements;
};
struct RevokeAcceptanceRequest {
  std::string repository, reason;
};

}  // namespace kernelgate::wire
