// SPDX-License-Identifier: Apache-2.0
#include "core/bisect/search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/units/limits.hpp"

namespace kernelgate::bisect {
namespace {

enum class Answer { differs, same, unsure, unusable, trouble, unknown };

// All readings of one step together.
struct Pool {
  int timed = 0, troubles = 0;
  double weights = 0, weighted = 0;
  bool slower = false, settled = false, same = false, failing = false, unusable = false;
  std::string why;

  void add(const Reading& reading) {
    switch (reading.kind) {
      case ReadingKind::timed: add_timed(reading); return;
      case ReadingKind::same: same = true; return;
      case ReadingKind::failing: failing = true; break;
      case ReadingKind::unusable: unusable = true; break;
      case ReadingKind::trouble: ++troubles; break;
    }
    why = reading.why;
  }
  [[nodiscard]] double mean() const { return weighted / weights; }
  [[nodiscard]] double half_width() const { return 1 / std::sqrt(weights); }

 private:
  void add_timed(const Reading& reading) {
    constexpr double kLeastWidth = 1e-6;  // a spread of nothing would weigh without end
    const double width = std::max(reading.half_width, kLeastWidth);
    ++timed;
    weights += 1 / (width * width);
    weighted += reading.mean / (width * width);
    slower = slower || reading.slower;
    settled = settled || reading.settled;
  }
};

// `effect`: of bad over good; none while that is what is asked.
Answer answer_of(const Pool& pool, const std::optional<double>& effect) {
  if (pool.failing) return Answer::differs;
  if (pool.same) return Answer::same;
  if (pool.unusable) return Answer::unusable;
  if (pool.timed == 0) return pool.troubles > 0 ? Answer::trouble : Answer::unknown;
  if (!effect) return pool.slower ? Answer::differs : pool.settled ? Answer::same : Answer::unsure;
  const double half = *effect / 2;
  if (pool.slower) return pool.mean() >= half ? Answer::differs : Answer::same;
  if (pool.mean() - pool.half_width() > half) return Answer::differs;
  if (pool.mean() + pool.half_width() < half) return Answer::same;
  return Answer::unsure;
}

class Search {
 public:
  Search(int commits, std::span<const Observation> observations) : commits_(commits), observations_(observations) {
    next_.high = commits - 1;
  }

  Next run() {
    const int last = commits_ - 1;
    if (prove({last, 0, false})) search(last);
    const bool spent = static_cast<int>(observations_.size()) >= limits::kBisectionRunsMax;
    if (next_.step && spent)
      finish(Ending::undecided, "more than " + std::to_string(limits::kBisectionRunsMax) + " runs");
    return std::move(next_);
  }

 private:
  [[nodiscard]] Pool pool_of(const Step& step) const {
    Pool out;
    for (const Observation& one : observations_)
      if (one.step == step) out.add(one.reading);
    return out;
  }

  void finish(Ending end, std::string why) {
    next_.step.reset();
    next_.end = end;
    next_.why = std::move(why);
  }

  // One more run of the same, while more of them may help.
  bool may_repeat(const Pool& pool, Answer answer) {
    return (answer == Answer::unsure && pool.timed < limits::kBisectionRepeatsMax) ||
           (answer == Answer::trouble && pool.troubles < limits::kBisectionRepeatsMax) || answer == Answer::unknown;
  }

  bool prove(const Step& step) {
    const Pool pool = pool_of(step);
    const Answer answer = answer_of(pool, std::nullopt);
    if (answer == Answer::differs) {
      if (pool.timed > 0) next_.effect = pool.mean();
      return true;
    }
    if (may_repeat(pool, answer))
      next_.step = step;
    else if (answer == Answer::same)
      finish(Ending::no_difference, "bad is not worse than good");
    else if (answer == Answer::unsure)
      finish(Ending::undecided, "it cannot be told whether good and bad differ");
    else
      finish(Ending::unusable_end, pool.why);
    return false;
  }

  // Where the answers so far leave the culprit. A later answer never widens it again.
  std::vector<Answer> narrow(int last) {
    std::vector<Answer> answers(static_cast<std::size_t>(commits_), Answer::unknown);
    for (int i = 1; i < last; ++i) {
      const Answer answer = answer_of(pool_of({i, 0, false}), next_.effect);
      answers[static_cast<std::size_t>(i)] = answer;
      if (answer == Answer::differs) next_.high = std::min(next_.high, i);
    }
    for (int i = 1; i < next_.high; ++i)
      if (answers[static_cast<std::size_t>(i)] == Answer::same) next_.low = i;
    return answers;
  }

  void search(int last) {
    const std::vector<Answer> answers = narrow(last);
    std::vector<int> fresh, again;
    for (int i = next_.low + 1; i < next_.high; ++i) {
      const Answer answer = answers[static_cast<std::size_t>(i)];
      const Step step{i, 0, false};
      const Pool pool = pool_of(step);
      if (answer == Answer::unsure && may_repeat(pool, answer)) {
        next_.step = step;
        return;
      }
      if (answer == Answer::unknown) fresh.push_back(i);
      if (answer == Answer::trouble && may_repeat(pool, answer)) again.push_back(i);
    }
    // What failed for the machine's sake is tried again only if nothing else is left.
    const std::vector<int>& candidates = fresh.empty() ? again : fresh;
    if (candidates.empty()) {
      confirm();
      return;
    }
    const int middle = (next_.low + next_.high) / 2;
    const auto nearer = [middle](int a, int b) { return std::abs(a - middle) < std::abs(b - middle); };
    next_.step = Step{*std::min_element(candidates.begin(), candidates.end(), nearer), 0, false};
  }

  void confirm() {
    for (int i = next_.low + 1; i < next_.high; ++i) next_.skipped.push_back(i);
    const Step step{next_.high, next_.low, true};
    const Pool pool = pool_of(step);
    const Answer answer = answer_of(pool, next_.effect);
    if (answer == Answer::differs)
      finish(next_.skipped.empty() ? Ending::culprit : Ending::range, {});
    else if (may_repeat(pool, answer))
      next_.step = step;
    else if (answer == Answer::same)
      finish(Ending::unconfirmed,
             "compared with its parent it does not differ: the change may have come in small steps");
    else
      finish(Ending::unconfirmed, pool.why.empty() ? "compared with its parent nothing was decided" : pool.why);
  }

  const int commits_;
  std::span<const Observation> observations_;
  Next next_;
};

}  // namespace

Next next_step(int commits, std::span<const Observation> observations) { return Search(commits, observations).run(); }

int comparisons_of(std::span<const Observation> observations) {
  return static_cast<int>(std::count_if(observations.begin(), observations.end(), [](const Observation& one) {
    return one.reading.kind != ReadingKind::unusable && one.reading.kind != ReadingKind::trouble;
  }));
}

}  // namespace kernelgate::bisect
