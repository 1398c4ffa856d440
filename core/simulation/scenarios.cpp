// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/scenarios.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "core/decision/decide.hpp"
#include "core/decision/evidence/pairs.hpp"
#include "core/decision/rule/looks.hpp"
#include "core/simulation/noise_model.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::simulation {
namespace {

constexpr int kStoredComparisons = 20;      // of a program with itself
constexpr int kRepetitionsOfScenario = 25;  // where repetitions are simulated

constexpr std::array<Scenario, 22> kScenarios{{
    {"normal", "process sd 0.5 %", {}},
    {"student", "Student's t with 3 degrees, sd 1 %", {.process_sd = 0.00577, .degrees = 3}},
    {"modes", "two modes 5 % apart, 50:50", {.process_sd = 0.001, .mode_shift = 0.05, .mode_share = 0.5}},
    {"modes_rare", "the same, 20:80, process sd 0.2 %", {.process_sd = 0.002, .mode_shift = 0.05, .mode_share = 0.2}},
    {"drift", "linear drift of 10 % over 32 processes", {.drift = 0.1}},
    {"walk", "random walk of 1 % a process", {.walk_sd = 0.01}},
    {"period_1", "period of 4 processes, +-1 %", {.period = 4, .amplitude = 0.01}},
    {"period_2", "period of 4 processes, +-2 %", {.period = 4, .amplitude = 0.02}},
    {"period_off", "period of 4.3 processes, +-1 %", {.period = 4.3, .amplitude = 0.01}},
    {"pairs_3", "pairs AR(1), 0.3", {.pair_sd = 0.0071, .pair_phi = 0.3}},
    {"pairs_5", "pairs AR(1), 0.5", {.pair_sd = 0.0071, .pair_phi = 0.5}},
    {"pairs_7", "pairs AR(1), 0.7", {.pair_sd = 0.0071, .pair_phi = 0.7}},
    {"head_3", "head's sd 3 times base's", {.process_sd = 0.0025, .head_factor = 3}},
    {"head_5", "head's sd 5 times base's", {.process_sd = 0.0025, .head_factor = 5}},
    {"stored_half", "the stored variance is half of the truth", {}, 0.5},
    {"stored_tenth", "the stored variance is a tenth of the truth", {}, 0.1},
    {"clock_800ns",
     "clock of 32 ns, kernel of 0.8 us",
     {.process_sd = 0.001, .repetition_sd = 0.02, .clock_step = 0.04}},
    {"clock_5us",
     "clock of 32 ns, kernel of 5 us",
     {.process_sd = 0.001, .repetition_sd = 0.002, .clock_step = 0.0064}},
    {"outliers", "1 process in 20 is +30 %", {.outlier_shift = 0.2624, .outlier_share = 0.05}},
    {"layout", "each build draws a layout of +-2 %", {.process_sd = 0.0021, .layout = 0.02}},
    {"runs_differ", "process sd differs from run to run, log-normal 0.5", {.run_spread = 0.5}},
    {"repetitions",
     "repetitions as an H200's: sd 0.5 %, AR(1) -0.1",
     {.process_sd = 0.002, .repetition_sd = 0.005, .repetition_phi = -0.1}},
}};

// The two builds of one comparison: what stays the same however often they are measured.
struct Builds {
  double effect = 0;       // head's true shift and layout, log
  double sd = 0;           // of processes in this run
  double head_factor = 1;  // of head's
  double clock_phase = 0;  // where the time lies between two steps
};

Builds draw_builds(const NoiseKind& noise, Random& random, double effect, double head_factor, double clock_phase) {
  const auto layout = [&] { return noise.layout > 0 ? noise.layout * (2 * random.uniform() - 1) : 0; };
  const double off = layout() - layout();
  const double wider = noise.run_spread > 0 ? std::exp(noise.run_spread * random.normal()) : 1;
  return {effect + off, noise.process_sd * wider, head_factor, clock_phase};
}

double process_noise(const NoiseKind& noise, Random& random) {
  double out = random.normal();
  if (noise.degrees > 0) {
    double squares = 0;
    for (int i = 0; i < static_cast<int>(noise.degrees); ++i) squares += std::pow(random.normal(), 2);
    out /= std::sqrt(squares / noise.degrees);
  }
  return out;
}

// The levels of one session's processes in time.
class Sessions {
 public:
  Sessions(const NoiseKind& noise, const Builds& builds, Random& random)
      : noise_(noise), builds_(builds), random_(random), phase_(2 * std::numbers::pi * random.uniform()) {}

  // The samples of the next process.
  std::vector<double> process(Side side) {
    const double wide = side == Side::head ? builds_.head_factor : 1;
    double level = side == Side::head ? builds_.effect : 0;
    if (noise_.pair_sd == 0) level += wide * builds_.sd * process_noise(noise_, random_);
    if (noise_.mode_share > 0 && random_.uniform() < noise_.mode_share) level += noise_.mode_shift;
    if (noise_.outlier_share > 0 && random_.uniform() < noise_.outlier_share) level += noise_.outlier_shift;
    if (noise_.walk_sd > 0) level += walk_ += noise_.walk_sd * random_.normal();
    level += noise_.drift * time_ / 31;
    if (noise_.period > 0) level += noise_.amplitude * std::cos(2 * std::numbers::pi * time_ / noise_.period + phase_);
    time_ += 1;
    return noise_.repetition_sd > 0 ? repetitions(level) : std::vector{std::exp(level)};
  }

  double pair_noise() {
    if (noise_.pair_sd == 0) return 0;
    const double phi = noise_.pair_phi;
    pair_ = started_ ? phi * pair_ + std::sqrt(1 - phi * phi) * random_.normal() : random_.normal();
    started_ = true;
    return noise_.pair_sd * pair_;
  }

 private:
  std::vector<double> repetitions(double level) {
    const double phi = noise_.repetition_phi, step = noise_.clock_step;
    std::vector<double> times(kRepetitionsOfScenario);
    double noise = random_.normal();
    for (double& time : times) {
      time = std::exp(level + builds_.clock_phase + noise_.repetition_sd * noise);
      if (step > 0) time = std::round(time / step) * step;
      noise = phi * noise + std::sqrt(1 - phi * phi) * random_.normal();
    }
    return times;
  }

  const NoiseKind& noise_;
  const Builds& builds_;
  Random& random_;
  double phase_, walk_ = 0, pair_ = 0, time_ = 0;
  bool started_ = false;
};

// One round: pairs are taken up to the look that decides, and made of processes as the product does.
struct Measured {
  Sequence judged{};
  std::vector<double> d{};
};
class Round {
 public:
  Round(const NoiseKind& noise, const Builds& builds, Random& random, std::uint64_t order)
      : session_(noise, builds, random), order_(order) {}

  Measured measure(const Policy& policy, KnownNoise& known, Quantiles& quantiles) {
    const std::vector<int> looks = look_schedule(policy.max_pairs, known.stored.has_value());
    Measured out;
    for (int look : looks) {
      while (pairs_ < look) take_pair();
      const PairTable table(processes_);
      out.d.clear();
      for (const PairTimes& times : table.of("b", 0)) out.d.push_back(times.difference());
      known.clock = table.clock_step("b") * table.clock_step("b") / 6;
      out.judged = judge_sequence(out.d, looks, known, band_of(policy, 1), quantiles);
      if (out.judged.finished) break;
    }
    return out;
  }

 private:
  void take_pair() {
    const Side first = first_side(order_, {}, 0, pairs_);
    const double pair_noise = session_.pair_noise();
    for (Side side : {first, first == Side::base ? Side::head : Side::base}) {
      Process process;
      process.side = side;
      process.pair = pairs_;
      process.order = static_cast<int>(processes_.size());
      process.series.push_back({.benchmark = "b", .samples_ns = session_.process(side), .error = {}, .counters = {}});
      if (side == Side::head)
        for (double& time : process.series.back().samples_ns) time *= std::exp(pair_noise);
      processes_.push_back(std::move(process));
    }
    ++pairs_;
  }

  Sessions session_;
  std::uint64_t order_;
  std::vector<Process> processes_;
  int pairs_ = 0;
};

// What a store holds after comparisons of a program with itself, each built anew and judged with what the earlier ones
// left.
std::optional<StoredVariance> past_noise(const Scenario& scenario, const Policy& policy, Random& random,
                                         double clock_phase, std::uint64_t& order, Quantiles& quantiles) {
  std::vector<PastComparison> past;
  KnownNoise known;
  for (int i = 0; i < kStoredComparisons; ++i) {
    const Builds builds = draw_builds(scenario.noise, random, 0, 1, clock_phase);
    const Measured one = Round(scenario.noise, builds, random, ++order).measure(policy, known, quantiles);
    const auto moments = stats::moments(without_outliers(one.d, known)).value();
    past.insert(past.begin(), {.pairs = moments.count,
                               .mean = moments.mean,
                               .sum_squares = moments.sum_squares,
                               .degrees = moments.count - 1});
    known.stored = stored_noise(past);
  }
  if (known.stored) known.stored->variance *= scenario.stored_factor;
  return known.stored;
}

struct ScenarioOutcome {
  Verdict verdict = Verdict::undecided;
  int processes = 0;
};

ScenarioOutcome try_scenario(const Scenario& scenario, const Policy& policy, bool history, double effect,
                             std::uint64_t seed) {
  static thread_local Quantiles quantiles;
  Random random(seed);
  const NoiseKind& noise = scenario.noise;
  const double clock_phase = 0.04 * (random.uniform() - 0.5);
  std::uint64_t order = seed;
  KnownNoise known;
  if (history) known.stored = past_noise(scenario, policy, random, clock_phase, order, quantiles);
  const Builds builds = draw_builds(noise, random, effect, noise.head_factor, clock_phase);
  ScenarioOutcome out;
  for (int round = 0; round < 2; ++round) {
    const Sequence judged = Round(noise, builds, random, ++order).measure(policy, known, quantiles).judged;
    out.processes += 2 * judged.pairs;
    out.verdict = judged.verdict;
    if (judged.verdict != Verdict::suspected) break;
  }
  return out;
}

}  // namespace

std::span<const Scenario> scenarios() { return kScenarios; }

const Scenario* find_scenario(std::string_view name) {
  const auto* found = std::find_if(kScenarios.begin(), kScenarios.end(), [&](const auto& s) { return s.name == name; });
  return found == kScenarios.end() ? nullptr : found;
}

ScenarioRates simulate_scenario(const Scenario& scenario, const Policy& policy, bool history, double true_shift,
                                int trials, std::uint64_t seed) {
  ScenarioRates out{.true_shift = true_shift, .trials = trials};
  const auto stream = static_cast<std::uint64_t>(std::llround(1e6 * (1 + true_shift)));
  for (int trial = 0; trial < trials; ++trial) {
    const auto one = try_scenario(scenario, policy, history, std::log1p(true_shift),
                                  trial_seed(seed, stream, static_cast<std::uint64_t>(trial)));
    out.processes += one.processes;
    if (one.verdict == Verdict::regressed) ++out.regressed;
    if (one.verdict == Verdict::improved) ++out.improved;
    if (one.verdict == Verdict::undecided || one.verdict == Verdict::suspected) ++out.open;
  }
  out.processes /= trials;
  return out;
}

}  // namespace kernelgate::simulation
