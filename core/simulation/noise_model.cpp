// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/noise_model.hpp"

#include <algorithm>
#include <cmath>

namespace kernelgate::simulation {
namespace {

constexpr double kRepetitionSd = 0.005, kProcessSd = 0.004, kDriftSd = 0.005, kSessionSd = 0.006;
constexpr double kWidthSpread = 0.5;
constexpr double kRepetitionPhi = 0.5, kDriftPhi = 0.9;
constexpr double kTwoModes = 0.15, kSlowMode = 0.3, kModeShift = 0.025, kModeScaleMax = 1.5;
constexpr double kSpikes = 0.015, kSpikeSize = 0.08;
constexpr double kTickUs = 1.024, kShortestUs = 500, kLongestUs = 10000;

// One step of an AR(1) of unit variance.
double next_ar1(double last, double phi, double innovation) {
  return phi * last + std::sqrt(1 - phi * phi) * innovation;
}

}  // namespace

std::uint64_t trial_seed(std::uint64_t seed, std::uint64_t stream, std::uint64_t trial) {
  // SplitMix64's finaliser (Steele, Lea, Flood 2014) over the three numbers.
  std::uint64_t z = seed;
  for (std::uint64_t part : {stream, trial}) {
    z += 0x9e3779b97f4a7c15ULL * (part + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
  }
  return z;
}

SimulatedBenchmark::SimulatedBenchmark(Random& random, double scale) {
  const auto width = [&](double sd) { return scale * sd * std::exp(kWidthSpread * random.normal()); };
  repetition_sd_ = width(kRepetitionSd);
  process_sd_ = width(kProcessSd);
  drift_sd_ = width(kDriftSd);
  session_sd_ = width(kSessionSd);
  mode_shift_ = random.uniform() < kTwoModes ? kModeShift * std::min(scale, kModeScaleMax) : 0;
  const double log_range = std::log(kLongestUs / kShortestUs);
  tick_ = kTickUs / (kShortestUs * std::exp(log_range * random.uniform()));
}

Session SimulatedBenchmark::session(Random& random, std::span<const double> effects, std::size_t repetitions) const {
  Session out(effects.size(), repetitions);
  const double offset = random.normal() * session_sd_;
  double drift = random.normal();
  for (std::size_t i = 0; i < effects.size(); ++i) {
    if (i > 0) drift = next_ar1(drift, kDriftPhi, random.normal());
    const double mode = mode_shift_ > 0 && random.uniform() < kSlowMode ? mode_shift_ : 0;
    const double level = offset + drift * drift_sd_ + random.normal() * process_sd_ + mode + effects[i];
    double noise = random.normal();
    for (double& value : out.process(i)) {
      const double spike = random.uniform() < kSpikes ? std::log1p(kSpikeSize * random.exponential()) : 0;
      value = std::log(std::round(std::exp(level + noise * repetition_sd_ + spike) / tick_) * tick_);
      noise = next_ar1(noise, kRepetitionPhi, random.normal());
    }
  }
  return out;
}

double median_of(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  std::nth_element(copy.begin(), middle, copy.end());
  return copy.size() % 2 == 1 ? *middle : 0.5 * (*middle + *std::max_element(copy.begin(), middle));
}

std::vector<double> pair_differences(const SimulatedBenchmark& benchmark, Random& random, double effect,
                                     std::size_t pairs, std::size_t repetitions) {
  std::vector<double> effects(2 * pairs);
  for (std::size_t i = 0; i < pairs; ++i) effects[2 * i + (i % 2 == 0 ? 1 : 0)] = effect;  // A B B A
  const Session session = benchmark.session(random, effects, repetitions);
  std::vector<double> out(pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    const double first = median_of(session.process(2 * i)), second = median_of(session.process(2 * i + 1));
    out[i] = i % 2 == 0 ? second - first : first - second;
  }
  return out;
}

}  // namespace kernelgate::simulation
