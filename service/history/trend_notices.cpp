// SPDX-License-Identifier: Apache-2.0
#include "service/history/trend_notices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "db/baselines/anchors.hpp"
#include "db/history/main_line.hpp"
#include "db/repositories/repositories.hpp"
#include "service/history/trends.hpp"

namespace kernelgate::service {
namespace {

constexpr int kPoints = 500;            // of each benchmark: a run must not wait for its whole past
constexpr std::size_t kNamesShown = 3;  // of each kind of notice

struct Finding {
  double ratio = 1;
  std::string text;
};

std::string short_hash(const std::string& hash) { return hash.substr(0, 10); }

std::string percent(double ratio) { return fmt::format("{:+.1f} %", (ratio - 1) * 100); }

Finding finding_of(const std::string& name, const wire::HistoryCreep& creep) {
  return {creep.ratio, fmt::format("{}: creep: {} since {} ({} commits)", name, percent(creep.ratio),
                                   short_hash(creep.commit_before), creep.commits)};
}

Finding finding_of(const std::string& name, const wire::HistoryChange& change) {
  return {change.ratio, fmt::format("{}: its level moved by {} between {} and {}, confirmed by the {} commits since",
                                    name, percent(change.ratio), short_hash(change.commit_before),
                                    short_hash(change.commit_after), change.points_after)};
}

void sort_by_size(std::vector<Finding>& findings) {
  const auto size = [](const Finding& one) { return std::abs(std::log(one.ratio)); };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Finding& a, const Finding& b) { return size(a) > size(b); });
}

// The largest ones first; those that are not named are counted.
void append(std::vector<std::string>& notices, std::vector<Finding> findings, const char* others) {
  sort_by_size(findings);
  for (std::size_t i = 0; i < std::min(kNamesShown, findings.size()); ++i)
    notices.push_back(std::move(findings[i].text));
  if (findings.size() > kNamesShown)
    notices.push_back(fmt::format("{} in {} more benchmarks", others, findings.size() - kNamesShown));
}

// Where the run stands against the anchored baseline: counts the benchmarks that moved by more than is tolerated and
// whose interval leaves out 1.
class AnchorReport {
 public:
  explicit AnchorReport(const db::AnchorLookup& lookup) : lookup_(lookup) {}

  Status add(const std::string& name, wire::BenchmarkHistory& history, double tolerate) {
    if (!lookup_.anchor) return {};
    if (const Status held = compare_with_anchor(history, *lookup_.anchor); !held) return held;
    if (!history.anchor) return {};
    held_ += 1;
    from_sessions_ = from_sessions_ || history.anchor->spread == "sessions";
    const wire::HistoryAnchor& now = *history.anchor;
    const bool told = now.ratio_low && (*now.ratio_low > 1 || *now.ratio_high < 1);
    if (!told || std::abs(std::log(now.ratio)) <= std::log1p(tolerate)) return {};
    moved_.push_back({now.ratio, fmt::format("{} {} [{}, {}]", name, percent(now.ratio), percent(*now.ratio_low),
                                             percent(*now.ratio_high))});
    return {};
  }

  [[nodiscard]] std::vector<std::string> notices() && {
    if (std::string note = note_of(lookup_); !note.empty()) return {std::move(note)};
    if (held_ == 0) return {};
    const std::size_t count = moved_.size();
    sort_by_size(moved_);
    std::string out =
        fmt::format("against the anchored baseline {} ({}): {} of {} benchmarks moved", lookup_.anchor->baseline.name,
                    short_hash(lookup_.anchor->baseline.commit), count, held_);
    for (std::size_t i = 0; i < std::min(kNamesShown, count); ++i) out += (i == 0 ? ": " : ", ") + moved_[i].text;
    return {out + (from_sessions_ ? "" : "; session offset not known")};
  }

 private:
  const db::AnchorLookup& lookup_;
  std::vector<Finding> moved_;
  int held_ = 0;
  bool from_sessions_ = false;
};

// The history as it will stand once the run is finished.
Result<wire::BenchmarkHistory> history_with(db::Connection& connection, const db::Run& run, const Comparison& newest) {
  auto history = db::read_main_line(connection, {.repository = run.repository_id,
                                                 .suite = newest.suite,
                                                 .benchmark = newest.benchmark,
                                                 .branch = run.branch,
                                                 .epoch = run.epoch,
                                                 .points = kPoints});
  if (!history) return history;
  wire::HistoryPoint& point = history->points.emplace_back();
  point.run = run.id.value;
  point.commit = run.commit;
  point.median_ns = *newest.head_median_ns;
  if (const Status found = add_trend(*history); !found) return pass_on(found);
  return history;
}

}  // namespace

Result<std::vector<std::string>> trend_notices(db::Connection& connection, const db::Run& run,
                                               const RunDecision& decision) {
  std::vector<std::string> notices;
  const auto repository = db::get_repository(connection, run.repository_id);
  if (!repository) return pass_on(repository);
  if (run.branch != repository->default_branch || !run.epoch) return notices;
  const db::AnchorLookup lookup = db::find_anchor(connection, run.repository_id, *run.epoch);
  AnchorReport anchored(lookup);
  std::vector<Finding> creeping, moved;
  for (const Comparison& comparison : decision.comparisons) {
    if (comparison.head_median_ns.value_or(0) <= 0) continue;
    auto history = history_with(connection, run, comparison);
    if (!history) return pass_on(history);
    const std::string name = comparison.suite + ": " + comparison.benchmark;
    if (history->creep) creeping.push_back(finding_of(name, *history->creep));
    const auto fresh = newly_confirmed(*history);
    if (!fresh) return pass_on(fresh);
    for (const wire::HistoryChange& change : *fresh) moved.push_back(finding_of(name, change));
    if (const Status held = anchored.add(name, *history, comparison.tolerate); !held) return pass_on(held);
  }
  append(notices, std::move(creeping), "creep");
  append(notices, std::move(moved), "changes of level");
  for (std::string& line : std::move(anchored).notices()) notices.push_back(std::move(line));
  return notices;
}

}  // namespace kernelgate::service
