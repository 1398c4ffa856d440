// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bisections and their steps, each of which is an ordinary run with an explicit base. Call inside a Database work.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/bisect/search.hpp"
#include "core/wire/bisections.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

using BisectionId = Strong<struct BisectionTag, std::int64_t>;

struct NewBisection {
  RepositoryId repository;
  bisect::Target target;
  std::vector<std::string> commits;  // full hashes: good, …, bad
  std::string actor;
};
struct RunningBisection {
  BisectionId id;
  RepositoryId repository;
  bisect::Target target;
  std::vector<std::string> commits;
};
[[nodiscard]] BisectionId add_bisection(Connection& connection, const NewBisection& wanted, Instant now);
// Nothing: it is over, or never was.
[[nodiscard]] std::optional<RunningBisection> running_bisection(Connection& connection, BisectionId id);
[[nodiscard]] std::vector<RunningBisection> running_bisections(Connection& connection, RepositoryId repository);
// What its runs said, in the order of its steps.
[[nodiscard]] std::vector<bisect::Observation> observations(Connection& connection, BisectionId id);
// Where it stands: low, high and effect of `next`.
void put_bisection(Connection& connection, BisectionId id, const bisect::Next& next, const std::string& text);
// `next` has an end.
void end_bisection(Connection& connection, BisectionId id, const bisect::Next& next, const std::string& text,
                   Instant now);
void mark_cancelled(Connection& connection, BisectionId id, const std::string& text, Instant now);

struct StepRow {
  BisectionId bisection;
  int number = 0;  // from 1
  RunId run;
  bisect::Step step;  // indices into the commits
};
void add_step(Connection& connection, const StepRow& step);
// The step of a running bisection that waits for this run.
[[nodiscard]] std::optional<StepRow> waiting_step(Connection& connection, RunId run);
void put_reading(Connection& connection, const StepRow& step, const bisect::Reading& reading);
// The run of its newest step, which goes on.
[[nodiscard]] std::optional<RunId> run_under_way(Connection& connection, BisectionId id);

[[nodiscard]] Result<wire::Bisection> get_bisection(Connection& connection, BisectionId id);
[[nodiscard]] std::vector<wire::Bisection> list_bisections(Connection& connection, RepositoryId repository,
                                                           const Page& page = {});

// The suites that have a benchmark of this name; `suite` empty: any.
[[nodiscard]] std::vector<std::string> suites_of(Connection& connection, RepositoryId repository,
                                                 const std::string& benchmark, const std::string& suite);
// The commits of `line` but the first that have no finished run as head which says something, newest first.
[[nodiscard]] std::vector<std::size_t> never_measured(Connection& connection, RepositoryId repository,
                                                      const std::vector<std::string>& line);

}  // namespace kernelgate::db
