// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/tried.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/decision/rule/looks.hpp"
#include "core/stats/distributions.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::simulation {
namespace {

constexpr std::array kManyLooks{2, 4, 6, 8, 12, 16};

struct Tails {
  double alarm = kAlarmTail, equal = kEqualTail;
};

// What is known after some pairs.
struct Estimate {
  double mean = 0, se = 0, degrees = 0;
};

struct Multiples {  // of se: half widths of the alarm and of `unchanged`
  double alarm = 0, equal = 0;
};

Quantiles& quantiles() {
  static thread_local Quantiles out;
  return out;
}

Multiples by_t(const Estimate& now, const Tails& tails) {
  return {quantiles().t(tails.alarm, now.degrees), quantiles().t(tails.equal, now.degrees)};
}

Verdict look_at(const Estimate& now, const Multiples& multiples, const Band& band) {
  if (now.mean - multiples.alarm * now.se > band.tolerate) return Verdict::regressed;
  if (now.mean + multiples.alarm * now.se < -band.tolerate) return Verdict::improved;
  if (std::abs(now.mean) + multiples.equal * now.se < band.catch_limit) return Verdict::unchanged;
  return Verdict::undecided;
}

Outcome at_the_end(double mean, int pairs, const Band& band) {
  return {mean >= band.suspect ? Verdict::suspected : Verdict::undecided, 2 * pairs, mean};
}

// A stored variance with its degrees of freedom; 0: none.
struct Stored {
  double variance = 0;
  int degrees = 0;
};

Stored stored_of(const SimulatedBenchmark& benchmark, Random& random, const Setting& setting, int comparisons) {
  Stored out;
  for (int i = 0; i < comparisons; ++i) {
    const auto d = pair_differences(benchmark, random, 0, 4, static_cast<std::size_t>(setting.repetitions));
    out.variance += stats::moments(d).value().variance / comparisons;
    out.degrees += 3;
  }
  out.variance *= setting.stored_variance_factor;
  return out;
}

// Pools as our rule does, with the stored variance's own degrees; the same F test drops it.
Estimate pooled(std::span<const double> d, const Stored& stored) {
  const auto now = stats::moments(d).value();
  const auto n = static_cast<double>(d.size());
  double variance = now.variance, degrees = n - 1;
  if (stored.degrees > 0 &&
      variance <= stats::f_quantile(1 - kStaleVarianceTail, degrees, stored.degrees) * stored.variance) {
    variance = (stored.degrees * stored.variance + degrees * variance) / (stored.degrees + degrees);
    degrees += stored.degrees;
  }
  return {now.mean, std::sqrt(variance / n), degrees};
}

struct Drawn {
  SimulatedBenchmark benchmark;
  Stored stored;
  std::vector<double> d;
  Band band;
};

Drawn draw(const Setting& setting, double effect, Random& random, int comparisons) {
  const SimulatedBenchmark benchmark(random, setting.noise);
  const Stored stored = setting.history ? stored_of(benchmark, random, setting, comparisons) : Stored{};
  auto d = pair_differences(benchmark, random, effect, 16, static_cast<std::size_t>(setting.repetitions));
  return {benchmark, stored, std::move(d), band_of(setting.policy, 1)};
}

std::vector<int> looks_of(const Setting& setting) {
  return setting.looks.empty() ? look_schedule(16, setting.history) : setting.looks;
}

// Stops at the look where `verdict_at(pairs)` is not undecided.
template <class VerdictAt>
Outcome sequence(const Drawn& drawn, std::span<const int> looks, VerdictAt verdict_at) {
  double mean = 0;
  for (int look : looks) {
    const auto d = std::span(drawn.d).first(static_cast<std::size_t>(look));
    mean = stats::moments(d).value().mean;
    const Verdict verdict = verdict_at(d);
    if (verdict == Verdict::suspected) return at_the_end(mean, look, drawn.band);  // futile
    if (verdict != Verdict::undecided) return {verdict, 2 * look, mean};
  }
  return at_the_end(mean, looks.back(), drawn.band);
}

// A stored variance of 45 degrees of freedom where 15 suffice today.
Outcome degrees(const Setting& setting, double effect, Random& random) {
  const Drawn drawn = draw(setting, effect, random, 15);
  return sequence(drawn, looks_of(setting), [&](std::span<const double> d) {
    const Estimate now = pooled(d, drawn.stored);
    return look_at(now, by_t(now, {}), drawn.band);
  });
}

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

// Futility: stop where the chance of a verdict at the last look, given the mean so far, is below 20 %.
Outcome futility(const Setting& setting, double effect, Random& random) {
  constexpr double kHopeless = 0.2;
  const Drawn drawn = draw(setting, effect, random, 5);
  const std::vector<int> looks = looks_of(setting);
  const double last = looks.back();
  return sequence(drawn, looks, [&](std::span<const double> d) {
    const Estimate now = pooled(d, drawn.stored);
    const Verdict verdict = look_at(now, by_t(now, {}), drawn.band);
    const auto n = static_cast<double>(d.size());
    if (verdict != Verdict::undecided || n >= last) return verdict;
    const double end_se = now.se * std::sqrt(n / last), spread = now.se * std::sqrt(1 - n / last);
    const Multiples end = by_t({now.mean, end_se, now.degrees + last - n}, {});
    const auto below = [&](double limit) { return normal_cdf((limit - now.mean) / spread); };
    const double slow = 1 - below(drawn.band.tolerate + end.alarm * end_se);
    const double fast = below(-drawn.band.tolerate - end.alarm * end_se);
    const double room = drawn.band.catch_limit - end.equal * end_se;
    const double same = room > 0 ? below(room) - below(-room) : 0;
    return slow + fast + same < kHopeless ? Verdict::suspected : Verdict::undecided;
  });
}

// Anytime-valid: a normal mixture (Robbins) spends .005 and .025 over all looks ever, at every even pair.
Outcome mixture(const Setting& setting, double effect, Random& random) {
  constexpr double kRho = 4;  // pairs at which the mixture is tightest
  const Drawn drawn = draw(setting, effect, random, 5);
  constexpr std::array kEven{2, 4, 6, 8, 10, 12, 14, 16};
  return sequence(drawn, kEven, [&](std::span<const double> d) {
    const Estimate now = pooled(d, drawn.stored);
    const auto n = static_cast<double>(d.size());
    const auto multiple = [&](double alpha) {
      const double z = std::sqrt((n + kRho) / n * std::log((n + kRho) / (kRho * 4 * alpha * alpha)));
      return stats::t_quantile(normal_cdf(z), now.degrees);
    };
    return look_at(now, {multiple(0.005), multiple(0.025)}, drawn.band);
  });
}

// Tails that are not the same at each look: `unchanged` easier at the first, harder at the later ones.
Outcome spending(const Setting& setting, double effect, Random& random) {
  constexpr std::array<Tails, 6> kSpent{
      {{.0005, .01}, {.001, .006}, {.001, .003}, {.001, .002}, {.001, .002}, {.001, .002}}};
  const Drawn drawn = draw(setting, effect, random, 5);
  std::size_t look = 0;
  return sequence(drawn, kManyLooks, [&](std::span<const double> d) {
    const Estimate now = pooled(d, drawn.stored);
    return look_at(now, by_t(now, kSpent[look++]), drawn.band);
  });
}

// Pairs weighted by the spread of the repetitions within their two processes.
Outcome spread(const Setting& setting, double effect, Random& random) {
  const SimulatedBenchmark benchmark(random, setting.noise);
  const Stored stored = setting.history ? stored_of(benchmark, random, setting, 5) : Stored{};
  std::vector<double> effects(32);
  for (std::size_t i = 0; i < 16; ++i) effects[2 * i + (i % 2 == 0 ? 1 : 0)] = effect;
  const Session session = benchmark.session(random, effects, static_cast<std::size_t>(setting.repetitions));
  Drawn drawn{benchmark, stored, {}, band_of(setting.policy, 1)};
  std::vector<double> weights;
  for (std::size_t i = 0; i < 16; ++i) {
    const auto first = session.process(2 * i), second = session.process(2 * i + 1);
    const double step = median_of(second) - median_of(first);
    drawn.d.push_back(i % 2 == 0 ? step : -step);
    weights.push_back(1 / (stats::moments(first)->variance + stats::moments(second)->variance + 1e-12));
  }
  return sequence(drawn, looks_of(setting), [&](std::span<const double> d) {
    double sum = 0, squares = 0, mean = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      sum += weights[i];
      squares += weights[i] * weights[i];
      mean += weights[i] * d[i];
    }
    Estimate now = pooled(d, stored);
    now.se *= std::sqrt(squares * static_cast<double>(d.size())) / sum;
    now.mean = mean / sum;
    return look_at(now, by_t(now, {}), drawn.band);
  });
}

// Derivatives of log gamma: up to 10 by their recurrence, then by their series.
double digamma(double x) {
  double out = 0;
  for (; x < 10; x += 1) out -= 1 / x;
  const double z = 1 / (x * x);
  return out + std::log(x) - 0.5 / x - z * (1.0 / 12 - z * (1.0 / 120 - z / 252));
}

double trigamma(double x) {
  double out = 0;
  for (; x < 10; x += 1) out += 1 / (x * x);
  const double z = 1 / (x * x);
  return out + 1 / x + z / 2 + z / x * (1.0 / 6 - z * (1.0 / 30 - z / 42));
}

// What the variances of a suite have in common: a scaled inverse chi-squared, fitted by the moments of their logs
// (Smyth 2004, "limma").
Stored prior_of(std::span<const double> variances, double degrees) {
  double mean = 0, spread = 0;
  std::vector<double> logs;
  for (double v : variances)
    logs.push_back(std::log(std::max(v, 1e-18)) - digamma(degrees / 2) + std::log(degrees / 2));
  for (double x : logs) mean += x / static_cast<double>(logs.size());
  for (double x : logs) spread += (x - mean) * (x - mean) / static_cast<double>(logs.size() - 1);
  const double excess = spread - trigamma(degrees / 2);
  double low = 0.1, high = 100;  // of the prior's degrees: trigamma falls
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (trigamma(middle / 2) > excess ? low : high) = middle;
  }
  Stored out{.variance = std::exp(mean + digamma(low / 2) - std::log(low / 2)), .degrees = 0};
  out.degrees = static_cast<int>(low);
  return out;
}

// Differences of 200 benchmarks to draw a suite's other members from.
const std::vector<std::vector<double>>& pool(const Setting& setting) {
  static thread_local std::vector<std::vector<double>> out;
  static thread_local double noise = 0;
  if (noise == setting.noise) return out;
  noise = setting.noise;
  out.clear();
  for (std::uint64_t i = 0; i < 200; ++i) {
    Random random(trial_seed(20261121, 1, i));
    const SimulatedBenchmark benchmark(random, noise);
    out.push_back(pair_differences(benchmark, random, 0, 16, static_cast<std::size_t>(setting.repetitions)));
  }
  return out;
}

// Empirical Bayes over a suite of twenty: the variance is shrunk towards those of the others at the same look.
Outcome suite_prior(const Setting& setting, double effect, Random& random) {
  const auto& others = pool(setting);
  const Drawn drawn = draw(setting, effect, random, 5);
  std::vector<std::size_t> members(19);
  for (std::size_t& member : members)
    member =
        std::min(others.size() - 1, static_cast<std::size_t>(random.uniform() * static_cast<double>(others.size())));
  return sequence(drawn, looks_of(setting), [&](std::span<const double> d) {
    std::vector<double> variances{stats::moments(d)->variance};
    for (std::size_t member : members)
      variances.push_back(stats::moments(std::span(others[member]).first(d.size()))->variance);
    const Stored prior = prior_of(variances, static_cast<double>(d.size() - 1));
    Estimate now = pooled(d, drawn.stored);
    const double before = now.degrees;
    now.degrees += prior.degrees;
    const double variance = now.se * now.se * static_cast<double>(d.size());
    now.se =
        std::sqrt((before * variance + prior.degrees * prior.variance) / now.degrees / static_cast<double>(d.size()));
    return look_at(now, by_t(now, {}), drawn.band);
  });
}

constexpr std::array<SimulatedRule, 6> kTried{{
    {"tried_degrees", "ours, with a stored variance of 45 degrees of freedom", degrees},
    {"tried_suite_prior", "ours, the variance shrunk towards those of a suite of 20 (empirical Bayes)", suite_prior},
    {"tried_futility", "ours, ending where a verdict has become unlikely", futility},
    {"tried_mixture", "anytime-valid bounds (e-values by a normal mixture) at every even pair", mixture},
    {"tried_spending", "looks 2, 4, 6, 8, 12, 16 with tails that differ by look", spending},
    {"tried_spread", "ours, pairs weighted by the spread within their processes", spread},
}};

}  // namespace

std::span<const SimulatedRule> tried_rules() { return kTried; }

}  // namespace kernelgate::simulation
