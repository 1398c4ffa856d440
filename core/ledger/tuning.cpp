// SPDX-License-Identifier: Apache-2.0
#include "core/ledger/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/ledger/constraints.hpp"
#include "core/ledger/findings.hpp"
#include "core/ledger/outcome.hpp"

namespace kernelgate::ledger {
namespace {

void add_cost(wire::AttemptCost& sum, const wire::AttemptCost& one) {
  sum.build_s += one.build_s;
  sum.check_s += one.check_s;
  sum.measure_s += one.measure_s;
  if (one.money) sum.money = sum.money.value_or(0) + *one.money;
}

void count_outcomes(wire::TuningReport& report) {
  std::map<Outcome, wire::TuningOutcome> counts;
  for (const wire::Attempt& attempt : report.attempts) {
    wire::TuningOutcome& count = counts[attempt.outcome];
    count.outcome = attempt.outcome;
    count.attempts += 1;
    count.seconds += seconds_of(attempt.cost);
    if (attempt.cost.money) count.money = count.money.value_or(0) + *attempt.cost.money;
    add_cost(report.cost, attempt.cost);
  }
  for (auto& [outcome, count] : counts) report.outcomes.push_back(count);
}

void collect_failures(wire::TuningReport& report) {
  std::map<std::string, std::vector<std::int64_t>> failures;
  for (const wire::Attempt& attempt : report.attempts)
    for (const std::string& failure : attempt.failures) failures[failure].push_back(attempt.id);
  // Case by case one bug shows many failures: the first one of the same attempts speaks for the others.
  std::set<std::vector<std::int64_t>> seen;
  for (auto& [failure, attempts] : failures)
    if (attempts.size() > 1 && seen.insert(attempts).second) report.failures.push_back({failure, std::move(attempts)});
}

using Attempts = std::vector<const wire::Attempt*>;

// By commit, suite and names of axes: what was swept together.
std::map<std::tuple<std::string, std::string, std::string>, Attempts> sweeps_of(
    const std::vector<wire::Attempt>& attempts) {
  std::map<std::tuple<std::string, std::string, std::string>, Attempts> out;
  for (const wire::Attempt& attempt : attempts) {
    if (attempt.kind != wire::AttemptKind::point) continue;
    std::string axes;
    for (const auto& [axis, value] : parse_point(attempt.point)) axes += axis + " ";
    out[{attempt.suite, attempt.commit, axes}].push_back(&attempt);
  }
  return out;
}

// Between its fastest and its slowest benchmark: one that wins once and loses once as much has won nothing.
double middle_of(const wire::Attempt& attempt) {
  return attempt.best && attempt.worst ? std::sqrt(attempt.best->ratio * attempt.worst->ratio) : 1;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return out;
}

std::string objective_of(const wire::TuningReport& report) {
  std::vector<std::string> suites, machines;
  for (const wire::TuningSuite& suite : report.suites) suites.push_back(suite.name);
  for (const wire::TuningTestbed& bed : report.testbeds) {
    const std::string& machine = bed.gpu_model.empty() ? bed.host_cpu : bed.gpu_model;
    if (std::find(machines.begin(), machines.end(), machine) == machines.end()) machines.push_back(machine);
  }
  if (suites.empty()) return "No suite was measured yet.";
  return fmt::format("Make {} faster{}{}, with every check passing.", joined(suites), machines.empty() ? "" : " on ",
                     joined(machines));
}

// Attempts of one sweep in one line, ideas and runs without a judgement one each.
void collect_untried(wire::TuningReport& report) {
  for (const auto& [key, points] : sweeps_of(report.attempts)) {
    std::vector<std::string> names;
    for (const wire::Attempt* point : points)
      if (!is_judged(point->outcome)) names.push_back(point->point);
    if (names.empty()) continue;
    report.not_tried.push_back(fmt::format("{} of {} points of the sweep of {} at {}: {}", names.size(), points.size(),
                                           std::get<0>(key), std::get<1>(key).substr(0, 10), fmt::join(names, "; ")));
  }
  for (const wire::Attempt& attempt : report.attempts) {
    const Outcome outcome = attempt.outcome;
    if (attempt.kind == wire::AttemptKind::point || is_judged(outcome)) continue;
    std::string line = fmt::format("#{} {}", attempt.id, name_of(attempt));
    if (!attempt.hypothesis.empty()) line += fmt::format(": {}", attempt.hypothesis);
    line += outcome == Outcome::not_tried ? " (noted, never run)" : fmt::format(" ({})", words(outcome));
    report.not_tried.push_back(std::move(line));
  }
}

}  // namespace

std::vector<wire::TuningSweep> sweeps_in(const std::vector<wire::Attempt>& attempts) {
  std::vector<wire::TuningSweep> out;
  for (const auto& [key, points] : sweeps_of(attempts)) {
    wire::TuningSweep sweep{
        .suite = std::get<0>(key), .commit = std::get<1>(key), .best_point = {}, .attempts = {}, .constraints = {}};
    std::vector<TriedPoint> tried;
    double best = 0;
    for (const wire::Attempt* point : points) {
      const Outcome outcome = point->outcome;
      sweep.attempts.push_back(point->id);
      if (!is_judged(outcome)) continue;
      tried.push_back({parse_point(point->point), words(outcome), point->failed});
      const bool usable = outcome == Outcome::reference || outcome == Outcome::won || outcome == Outcome::mixed;
      const double ratio = outcome == Outcome::reference ? 1 : middle_of(*point);
      if (!usable || (sweep.best != 0 && ratio >= best)) continue;
      best = ratio;
      sweep.best = point->id;
      sweep.best_point = point->point;
    }
    sweep.constraints = constraints_of(tried);
    out.push_back(std::move(sweep));
  }
  return out;
}

std::optional<wire::AttemptRatio> shown_ratio(const wire::Attempt& attempt) {
  return attempt.outcome == Outcome::lost ? attempt.worst : attempt.best;
}

std::string name_of(const wire::Attempt& attempt) {
  if (!attempt.point.empty()) return attempt.suite + " " + attempt.point;
  std::string out = !attempt.branch.empty() ? attempt.branch : attempt.commit.substr(0, 10);
  if (attempt.kind == wire::AttemptKind::work_tree) out += out.empty() ? "work tree" : " (work tree)";
  return out.empty() ? "idea" : out;
}

double seconds_of(const wire::AttemptCost& cost) { return cost.build_s + cost.check_s + cost.measure_s; }

void conclude_tuning(wire::TuningReport& report) {
  if (!report.attempts.empty()) {
    const auto time_of = [](const wire::Attempt& one) { return one.tried_at.value_or(one.created_at); };
    Instant from = time_of(report.attempts.front()), to = from;
    for (const wire::Attempt& attempt : report.attempts) {
      from = std::min(from, time_of(attempt));
      to = std::max(to, time_of(attempt));
    }
    report.from = from;
    report.to = to;
  }
  report.objective = objective_of(report);
  count_outcomes(report);
  collect_failures(report);
  report.sweeps = sweeps_in(report.attempts);
  collect_untried(report);
  report.findings = findings_of(report);
}

}  // namespace kernelgate::ledger
