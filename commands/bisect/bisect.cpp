// SPDX-License-Identifier: Apache-2.0
#include "commands/bisect/bisect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include "service/ledger/bisections.hpp"
#include "service/store/store.hpp"

namespace kernelgate::local {
namespace {

using bisect::Observation;

// ECMAScript: exactly this name.
std::string exactly(const std::string& benchmark) {
  if (benchmark.empty()) return {};
  constexpr std::string_view kSpecials = "^$\\.*+?()[]{}|/";
  std::string out = "^";
  for (const char c : benchmark) {
    if (kSpecials.find(c) != kSpecials.npos) out += '\\';
    out += c;
  }
  return out + "$";
}

wire::BisectionStep shown_step(const Observation& one, const std::vector<CommitHash>& line, int number,
                               std::int64_t run) {
  wire::BisectionStep out;
  out.number = number;
  out.head = line[static_cast<std::size_t>(one.step.head)].str();
  out.base = line[static_cast<std::size_t>(one.step.base)].str();
  out.confirming = one.step.confirming;
  out.run = run;
  out.reading = one.reading.kind;
  if (one.reading.kind == bisect::ReadingKind::timed) out.ratio = std::exp(one.reading.mean);
  out.why = one.reading.why;
  return out;
}

class LocalBisection {
 public:
  LocalBisection(const BisectOptions& options, std::vector<CommitHash> line)
      : options_(options), line_(std::move(line)) {}

  Result<wire::Bisection> run(const RunProgress& progress, const std::stop_token& stop) {
    while (true) {
      const bisect::Next next = bisect::next_step(static_cast<int>(line_.size()), seen_);
      if (!next.step) return finished(next);
      const auto tell = [&](const std::string& text) {
        progress(fmt::format("step {}, {} commits left: {}", seen_.size() + 1, next.high - next.low, text));
      };
      if (auto taken = take(*next.step, tell, stop); !taken) return pass_on(taken);
    }
  }

 private:
  [[nodiscard]] const CommitHash& commit(int index) const { return line_[static_cast<std::size_t>(index)]; }

  Status take(const bisect::Step& step, const RunProgress& progress, const std::stop_token& stop) {
    RunOptions run = options_.run;
    run.base = commit(step.base).str();
    run.head = commit(step.head).str();
    run.suite = options_.target.suite;
    run.filter = exactly(options_.target.benchmark);
    run.force = true;  // what was judged broken before is measured again: it may be what is looked for
    const auto outcome = run_here(run, progress, stop);
    if (!outcome) return took_nothing(step, outcome.error());
    bisect::RunEnd end{.conclusion = outcome->decision.conclusion,
                       .reason = outcome->decision.reason,
                       .base = outcome->base,
                       .wanted = run.base,
                       .comparisons = outcome->decision.comparisons};
    keep(step, bisect::read_run(options_.target, end), outcome->run);
    return {};
  }

  // The first step is the caller's input; later ones only say that this commit is of no use.
  Status took_nothing(const bisect::Step& step, const Error& error) {
    if (seen_.empty() && error.where == "--filter")
      return fail(Errc::not_found, "no benchmark is named '" + options_.target.benchmark + "' at either end",
                  "--benchmark", "kernelgate run lists them");
    if (seen_.empty() || (error.code != Errc::not_found && error.code != Errc::invalid))
      return tl::unexpected<Error>(error);
    keep(step, {.kind = bisect::ReadingKind::unusable, .why = to_string(error)}, 0);
    return {};
  }

  void keep(const bisect::Step& step, bisect::Reading reading, std::int64_t run) {
    seen_.push_back({step, std::move(reading)});
    steps_.push_back(shown_step(seen_.back(), line_, static_cast<int>(seen_.size()), run));
  }

  wire::Bisection finished(const bisect::Next& next) {
    wire::Bisection out;
    out.suite = options_.target.suite;
    out.benchmark = options_.target.benchmark;
    out.until = options_.target.aim;
    out.state = wire::BisectionState::done;
    out.ending = next.end;
    out.good = line_.front().str();
    out.bad = line_.back().str();
    out.commits = static_cast<int>(line_.size());
    std::vector<std::string> names;
    for (const CommitHash& one : line_) names.push_back(one.short_str());
    out.text = bisect::describe(next, names);
    if (*next.end == bisect::Ending::culprit || *next.end == bisect::Ending::unconfirmed)
      out.culprit = commit(next.high).str();
    if (*next.end == bisect::Ending::range)
      for (int i = next.low + 1; i <= next.high; ++i) out.suspects.push_back(commit(i).str());
    if (next.effect) out.ratio = std::exp(*next.effect);
    out.comparisons = bisect::comparisons_of(seen_);
    out.created_at = started_;
    out.finished_at = SystemClock{}.now();
    out.steps = std::move(steps_);
    return out;
  }

  const BisectOptions& options_;
  const std::vector<CommitHash> line_;
  const Instant started_ = SystemClock{}.now();
  std::vector<Observation> seen_;
  std::vector<wire::BisectionStep> steps_;
};

Result<std::vector<CommitHash>> line_of(const BisectOptions& options) {
  const auto git = Git::open(options.run.repository, GitConfig::users);
  if (!git) return pass_on(git);
  return commit_line(*git, options.good, options.bad);
}

// Indices of the line that the store has no run of; all but the first where there is no store yet.
Result<std::vector<std::size_t>> missing_of(const BisectOptions& options, const std::vector<std::string>& line) {
  std::filesystem::path file = options.run.database;
  if (file.empty()) {
    const auto own = local_store(options.run.repository);
    if (!own) return pass_on(own);
    file = *own;
  }
  std::vector<std::size_t> all;
  for (std::size_t i = line.size(); i-- > 1;) all.push_back(i);
  if (!std::filesystem::exists(file)) return all;
  const auto store = service::OpenStore::open(file);
  if (!store) return pass_on(store);
  auto missing = service::never_measured(*store, kRepositoryName, line);
  if (!missing && missing.error().code == Errc::not_found) return all;
  return missing;
}

}  // namespace

Result<wire::Bisection> bisect_here(const BisectOptions& options, const RunProgress& progress,
                                    const std::stop_token& stop) {
  if (options.target.benchmark.empty() && options.target.aim == bisect::Aim::regressed)
    return fail(Errc::invalid, "which benchmark is not said", "--benchmark", "name one, or give --until broken");
  auto line = line_of(options);
  if (!line) return pass_on(line);
  return LocalBisection(options, std::move(*line)).run(progress, stop);
}

Result<wire::BackfillReply> backfill_here(const BisectOptions& options, const RunProgress& progress, const Told& told,
                                          const std::stop_token& stop) {
  const auto line = line_of(options);
  if (!line) return pass_on(line);
  std::vector<std::string> commits;
  for (const CommitHash& one : *line) commits.push_back(one.str());
  const auto missing = missing_of(options, commits);
  if (!missing) return pass_on(missing);
  wire::BackfillReply reply;
  reply.known = static_cast<int>(commits.size() - 1 - missing->size());
  for (const std::size_t i : *missing) {
    if (static_cast<int>(reply.runs.size()) == options.limit) {
      ++reply.left;
      continue;
    }
    RunOptions run = options.run;
    run.head = commits[i];
    run.base = commits[i - 1];
    run.suite = options.target.suite;
    const auto outcome = run_here(run, progress, stop);
    if (!outcome) return pass_on(outcome);
    told(commits[i], *outcome);
    reply.runs.push_back({.commit = commits[i], .base = commits[i - 1], .run = outcome->run});
  }
  return reply;
}

}  // namespace kernelgate::local
