// SPDX-License-Identifier: Apache-2.0
#pragma once

// `kernelgate bisect`: from a good and a bad commit and a benchmark to the culprit, here by the same job, rule and
// cached builds as `kernelgate run`, or by a server that queues ordinary runs. And backfills. Blocks.

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "commands/run/run.hpp"
#include "core/bisect/search.hpp"
#include "core/wire/bisections.hpp"

namespace kernelgate::local {

struct BisectOptions {
  RunOptions run;  // place and manner; what is measured is the bisection's own
  std::string good, bad = "HEAD";
  bisect::Target target;
  int limit = 20;  // of a backfill
};

// The first-parent line from good to bad. Errors: not_found (no such commit), invalid (the same commit, or good is not
// on that line), too_large.
[[nodiscard]] Result<std::vector<CommitHash>> commit_line(const Git& git, const std::string& good,
                                                          const std::string& bad);

// An error is the caller's input or a stop. What a commit does is part of the answer.
[[nodiscard]] Result<wire::Bisection> bisect_here(const BisectOptions& options, const RunProgress& progress,
                                                  const std::stop_token& stop);

// Measures the commits of the line that the local store has no run of, each against its parent, newest first. `told`
// sees each run when it has ended.
using Told = std::function<void(const std::string& commit, const RunOutcome& outcome)>;
[[nodiscard]] Result<wire::BackfillReply> backfill_here(const BisectOptions& options, const RunProgress& progress,
                                                        const Told& told, const std::stop_token& stop);

// The same, asked of a server.
struct BisectServer {
  std::string url, token_file, repository;
};
[[nodiscard]] Result<wire::Bisection> start_there(const BisectServer& server, const BisectOptions& options);
[[nodiscard]] Result<wire::Bisection> show_there(const BisectServer& server, std::int64_t id);
[[nodiscard]] Result<wire::Bisection> cancel_there(const BisectServer& server, std::int64_t id);
[[nodiscard]] Result<wire::BisectionPage> list_there(const BisectServer& server);
[[nodiscard]] Result<wire::BackfillReply> backfill_there(const BisectServer& server, const BisectOptions& options);
// Asks every few seconds until it is over. Errc::conflict: a stop was asked for; the bisection goes on.
[[nodiscard]] Result<wire::Bisection> wait_there(const BisectServer& server, std::int64_t id,
                                                 const RunProgress& progress, const std::stop_token& stop);

// For people: a line a step, and how it ended.
[[nodiscard]] std::string bisection_table(const wire::Bisection& bisection);
[[nodiscard]] std::string bisections_table(const wire::BisectionPage& page);
[[nodiscard]] std::string backfill_table(const wire::BackfillReply& reply);

// 0: found, or under way; 3: nothing found or not confirmed; 4: an end cannot be measured, or cancelled.
[[nodiscard]] int exit_code(const wire::Bisection& bisection);

}  // namespace kernelgate::local
