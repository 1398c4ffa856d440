// SPDX-License-Identifier: Apache-2.0
#include "kernels/autotune/decide.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

namespace kernels::autotune {
namespace {

[[gnu::format(printf, 1, 2)]] std::string format(const char* how, ...) {
  char text[512];
  va_list values;
  va_start(values, how);
  std::vsnprintf(text, sizeof text, how, values);
  va_end(values);
  return text;
}

double at_fraction(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  const double place = fraction * static_cast<double>(values.size() - 1);
  const std::size_t below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}
double median(const std::vector<double>& values) { return at_fraction(values, 0.5); }

// Where the median of the ratios lies, at about 95 %: order statistics, for five samples the whole range.
struct Interval {
  double low, middle, high;
};
Interval interval_of(std::vector<double> ratios) {
  std::sort(ratios.begin(), ratios.end());
  const double count = static_cast<double>(ratios.size());
  const auto cut = static_cast<std::size_t>(std::max(0.0, (count - 1.96 * std::sqrt(count)) / 2));
  return {ratios[cut], median(ratios), ratios[ratios.size() - 1 - cut]};
}

struct Contender {
  std::size_t index = 0;  // among the candidates
  Ready ready;
  std::vector<double> samples;  // one of each round
};

class Contest {
 public:
  Contest(const std::vector<Candidate>& candidates, const Prepare& prepare) {
    for (const Candidate& candidate : candidates) rows_.push_back({.candidate = candidate, .reason = {}});
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i < kCandidatesMax) {
        look_at(i, prepare);
      } else {
        rows_[i].reason = "not tried: more than " + std::to_string(kCandidatesMax) + " candidates";
      }
    }
    for (int round = 1; round <= kRoundsMax && in_.size() > 1; ++round) {
      sample_all(round % 2 == 0);
      if (round == kRoundsFew) drop_clearly_slower();
      if (round >= kRoundsMin && settled(round == kRoundsMax)) break;
    }
    if (in_.size() == 1 && in_.front().samples.empty()) sample_all(false);
  }

  std::vector<Row> take_rows() {
    for (const Contender& one : in_) record(one, Fate::equal);
    return std::move(rows_);
  }
  // Index of the choice: of those that are left, all equal, the first.
  [[nodiscard]] std::optional<std::size_t> choice() const {
    return in_.empty() ? std::nullopt : std::optional(in_.front().index);
  }

 private:
  void look_at(std::size_t i, const Prepare& prepare) {
    try {
      Contender one{.index = i, .ready = prepare(i), .samples = {}};
      const double rough_us = one.ready.rough_us;
      if (rough_us > kHopeless * best_rough_us_) {
        Row& row = rows_[i];
        row.fate = Fate::hopeless, row.median_us = rough_us, row.samples = 1;
        row.reason = format("%.1f times the best at first sight", rough_us / best_rough_us_);
        return;
      }
      best_rough_us_ = std::min(best_rough_us_, rough_us);
      in_.push_back(std::move(one));
    } catch (const std::exception& error) {
      fail(i, error.what());
    }
  }

  void fail(std::size_t i, const std::string& why) {
    rows_[i].fate = Fate::failed;
    rows_[i].reason = why;
  }

  // There and back again, so that no candidate always follows the same one.
  void sample_all(bool backwards) {
    std::vector<std::size_t> failed;
    for (std::size_t i = 0; i < in_.size(); ++i) {
      const std::size_t at = backwards ? in_.size() - 1 - i : i;
      try {
        in_[at].samples.push_back(in_[at].ready.sample());
      } catch (const std::exception& error) {
        fail(in_[at].index, error.what());
        failed.push_back(in_[at].index);
      }
    }
    drop([&](const Contender& one) { return std::find(failed.begin(), failed.end(), one.index) != failed.end(); });
  }

  template <class Which>
  void drop(Which which) {
    in_.erase(std::remove_if(in_.begin(), in_.end(), which), in_.end());
  }

  [[nodiscard]] const Contender& best() const {
    return *std::min_element(in_.begin(), in_.end(), [](const Contender& one, const Contender& other) {
      return median(one.samples) < median(other.samples);
    });
  }

  void record(const Contender& one, Fate fate, double ratio = 1) {
    Row& row = rows_[one.index];
    row.fate = fate;
    row.samples = static_cast<int>(one.samples.size());
    row.median_us = median(one.samples);
    row.spread = (at_fraction(one.samples, 0.75) - at_fraction(one.samples, 0.25)) / 2 / row.median_us;
    if (fate == Fate::slower) row.reason = format("slower by %.1f %%", 100 * (ratio - 1));
  }

  void drop_clearly_slower() {
    if (in_.empty()) return;
    const double limit_us = kClearly * median(best().samples);
    drop([&](const Contender& one) {
      const double least = *std::min_element(one.samples.begin(), one.samples.end());
      if (least > limit_us) record(one, Fate::slower, kClearly * least / limit_us);
      return least > limit_us;
    });
  }

  // Whether all that are left are one. At the end what was not told apart goes by its median.
  bool settled(bool last) {
    if (in_.empty()) return true;
    const std::size_t fastest = best().index;
    const std::vector<double> fastest_us = best().samples;
    bool all = true;
    drop([&](const Contender& one) {
      if (one.index == fastest) return false;
      std::vector<double> ratios;
      for (std::size_t i = 0; i < one.samples.size(); ++i) ratios.push_back(one.samples[i] / fastest_us[i]);
      const Interval ratio = interval_of(std::move(ratios));
      const bool slower = ratio.middle > 1 + kEqual && (ratio.low > 1 || last);
      if (slower) record(one, Fate::slower, ratio.middle);
      if (!slower && ratio.high > 1 + kEqual) all = false;
      return slower;
    });
    return all;
  }

  std::vector<Row> rows_;
  std::vector<Contender> in_;  // in the candidates' order
  double best_rough_us_ = std::numeric_limits<double>::infinity();
};

// Where those that were faster have failed since.
std::optional<std::size_t> fastest_that_left(const std::vector<Row>& rows) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool runs = rows[i].fate == Fate::hopeless || rows[i].fate == Fate::slower;
    if (runs && (!found || rows[i].median_us < rows[*found].median_us)) found = i;
  }
  return found;
}

const char* to_string(Fate fate) {
  switch (fate) {
    case Fate::chosen: return "chosen";
    case Fate::equal: return "equal; predicted slower";
    case Fate::failed: return "failed";
    default: return "";
  }
}

}  // namespace

Decision decide(std::string problem, const std::vector<Candidate>& candidates, const Prepare& prepare) {
  Contest contest(candidates, prepare);
  std::optional<std::size_t> choice = contest.choice();
  Decision decision{.problem = std::move(problem), .configuration = {}, .rows = contest.take_rows()};
  if (!choice) choice = fastest_that_left(decision.rows);
  if (!choice) {
    std::string text = "no candidate can be run for " + decision.problem;
    for (const Row& row : decision.rows) text += "; " + row.candidate.configuration + ": " + row.reason;
    throw std::runtime_error(text);
  }
  Row& chosen = decision.rows[*choice];
  chosen.fate = Fate::chosen;
  chosen.reason.clear();
  decision.configuration = chosen.candidate.configuration;
  decision.us = chosen.median_us;
  return decision;
}

std::string to_text(const Decision& decision) {
  std::string text = decision.problem + "\n";
  if (decision.source == Source::pinned) return text + "  " + decision.configuration + ", pinned\n";
  if (decision.source == Source::remembered)
    return text + format("  %s, remembered: %.2f us when it was chosen\n", decision.configuration.c_str(), decision.us);
  text += format("  %-24s %12s %12s %9s %8s  %s\n", "configuration", "predicted us", "median us", "spread %", "samples",
                 "outcome");
  for (const Row& row : decision.rows) {
    const std::string said = row.reason.empty() || row.fate != Fate::failed
                                 ? row.reason
                                 : std::string(to_string(row.fate)) + ": " + row.reason.substr(0, 200);
    text +=
        format("  %-24s %12.2f %12.2f %9.2f %8d  %s\n", row.candidate.configuration.c_str(), row.candidate.predicted_us,
               row.median_us, 100 * row.spread, row.samples, said.empty() ? to_string(row.fate) : said.c_str());
  }
  return text;
}

}  // namespace kernels::autotune
