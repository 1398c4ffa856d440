// SPDX-License-Identifier: Apache-2.0
#include "core/ledger/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/decision/explain/reason.hpp"
#include "core/ledger/notices.hpp"
#include "core/ledger/outcome.hpp"
#include "core/ledger/tuning.hpp"

namespace kernelgate::ledger {
namespace {

constexpr double kErrorGrowthTold = 2;  // less is what another order of summation does

bool is_faster(Outcome outcome) { return outcome == Outcome::won || outcome == Outcome::mixed; }

const wire::Attempt* best_of(const wire::TuningReport& report) {
  const wire::Attempt* best = nullptr;
  for (const wire::Attempt& attempt : report.attempts) {
    if (!attempt.best || !is_faster(attempt.outcome)) continue;
    if (best == nullptr || attempt.best->ratio < best->best->ratio) best = &attempt;
  }
  return best;
}

std::string best_text(const wire::TuningReport& report) {
  const wire::Attempt* best = best_of(report);
  if (best == nullptr) return "no attempt is faster than its base";
  std::string out = fmt::format("best so far: #{} ({}): {} {}; {} of {} benchmarks faster", best->id, name_of(*best),
                                best->best->benchmark, ratio_text(*best->best), best->improved, best->timed);
  if (best->regressed > 0) out += fmt::format(", {} slower", best->regressed);
  return out;
}

void add_landed(const wire::TuningReport& report, std::vector<std::string>& out) {
  std::vector<std::string> won;
  for (const wire::TuningLanded& run : report.landed)
    if (run.best && is_faster(run.outcome))
      won.push_back(fmt::format("{} ({}) {}", run.commit.substr(0, 10), run.subject, percent(run.best->ratio)));
  if (!won.empty())
    out.push_back(
        fmt::format("landed on the default branch, each against the commit before: {}", fmt::join(won, ", then ")));
}

void add_failing(const wire::TuningReport& report, std::vector<std::string>& out) {
  int tried = 0, failed = 0, slower = 0;
  double seconds = 0, wasted = 0;
  std::string kinds;
  for (const wire::TuningOutcome& one : report.outcomes) {
    if (!is_judged(one.outcome) || one.outcome == Outcome::reference) continue;
    tried += one.attempts;
    seconds += one.seconds;
    if (one.outcome == Outcome::lost) slower = one.attempts;
    if (!is_failure(one.outcome)) continue;
    failed += one.attempts;
    wasted += one.seconds;
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", one.attempts, words(one.outcome));
  }
  if (failed > 0)
    out.push_back(fmt::format("{} of {} attempts do not work ({}): {:.0f} % of the time spent", failed, tried, kinds,
                              seconds > 0 ? 100 * wasted / seconds : 0));
  if (slower > 0) out.push_back(fmt::format("{} of {} attempts are slower than their base", slower, tried));
}

void add_constraints(const wire::TuningReport& report, std::vector<std::string>& out) {
  for (const wire::TuningSweep& sweep : report.sweeps) {
    for (const std::string& constraint : sweep.constraints)
      out.push_back(fmt::format("{} at {}: {}", sweep.suite, sweep.commit.substr(0, 10), constraint));
    if (sweep.best != 0)
      out.push_back(fmt::format("{} at {}: the best point is {} (#{})", sweep.suite, sweep.commit.substr(0, 10),
                                sweep.best_point, sweep.best));
  }
}

void add_shared_failures(const wire::TuningReport& report, std::vector<std::string>& out) {
  for (const wire::TuningFailure& failure : report.failures)
    out.push_back(fmt::format("attempts {} fail alike ({}): look for one shared bug before trying more",
                              numbers_of(failure.attempts), failure.failure));
}

void add_repetitions(const wire::TuningReport& report, std::vector<std::string>& out) {
  for (const wire::Attempt& attempt : report.attempts) {
    std::vector<std::int64_t> same;
    const char* what = "machine code";
    for (const wire::AlikeAttempt& other : attempt.alike) {
      if (other.how == wire::Likeness::failure) continue;
      if (other.how == wire::Likeness::patch) what = "change";
      same.push_back(other.attempt);
    }
    if (!same.empty())
      out.push_back(
          fmt::format("#{} ({}) repeats {}: the same {}", attempt.id, name_of(attempt), numbers_of(same), what));
  }
}

void add_error_growth(const wire::TuningReport& report, std::vector<std::string>& out) {
  for (const wire::Attempt& attempt : report.attempts)
    if (!attempt.failed && attempt.error_factor.value_or(0) >= kErrorGrowthTold)
      out.push_back(fmt::format("#{} ({}): the numerical error grew x{:.3g}", attempt.id, name_of(attempt),
                                *attempt.error_factor));
}

}  // namespace

std::string ratio_text(const wire::AttemptRatio& ratio) {
  if (!ratio.low || !ratio.high) return percent(ratio.ratio);
  return fmt::format("{} [{}, {}]", percent(ratio.ratio), percent(*ratio.low), percent(*ratio.high));
}

std::vector<std::string> findings_of(const wire::TuningReport& report) {
  std::vector<std::string> out;
  if (report.attempts.empty()) return out;
  out.push_back(best_text(report));
  add_landed(report, out);
  add_constraints(report, out);
  add_shared_failures(report, out);
  add_repetitions(report, out);
  add_error_growth(report, out);
  add_failing(report, out);
  return out;
}

}  // namespace kernelgate::ledger
