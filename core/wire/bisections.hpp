// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bisections and backfills as a server is asked for them. Plain structs; codec_bisections.cpp turns them into JSON and
// back. The server has no git: whoever asks gives the commits, oldest first, each the first parent of the next.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/bisect/search.hpp"
#include "core/units/time.hpp"

namespace kernelgate::wire {

using kernelgate::to_string;

struct BisectionRequest {
  std::string repository;
  std::string suite;      // empty: the only suite that knows the benchmark
  std::string benchmark;  // empty: any failure, with until = broken
  bisect::Aim until = bisect::Aim::regressed;
  std::vector<std::string> commits;  // good, …, bad
};

struct BisectionStep {
  int number = 0;
  std::string head, base;
  bool confirming = false;
  std::int64_t run = 0;
  std::optional<bisect::ReadingKind> reading;  // none: under way
  std::optional<double> ratio;
  std::string why;
};

enum class BisectionState { running, done, cancelled };
void spelled_as_named(BisectionState);

struct Bisection {
  std::int64_t id = 0;
  std::string repository, suite, benchmark;
  bisect::Aim until = bisect::Aim::regressed;
  BisectionState state = BisectionState::running;
  std::optional<bisect::Ending> ending;
  std::string text;  // where it stands, or how it ended, in a sentence
  std::string good, bad;
  int commits = 0;
  std::optional<std::string> culprit;  // the first bad commit, of culprit and unconfirmed
  std::vector<std::string> suspects;   // of a range
  std::optional<double> ratio;         // of bad over good
  int comparisons = 0;                 // steps that compared something
  std::string actor;
  Instant created_at{};
  std::optional<Instant> finished_at;
  std::vector<BisectionStep> steps;
};
struct BisectionPage {
  std::vector<Bisection> bisections;  // newest first, without steps
  std::optional<std::string> next;
};

struct BackfillRequest {
  std::string repository;
  std::vector<std::string> commits;  // the first is only a parent
  int limit = 20;                    // runs queued at most, the newest commits first
};
struct Backfilled {
  std::string commit, base;
  std::int64_t run = 0;
};
struct BackfillReply {
  std::vector<Backfilled> runs;
  int known = 0;  // commits that were measured before
  int left = 0;   // over the limit
};

}  // namespace kernelgate::wire
