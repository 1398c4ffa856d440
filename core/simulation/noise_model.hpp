// SPDX-License-Identifier: Apache-2.0
#pragma once

// Simulated timings of GPU kernels, to find the error rates of a rule where the truth is known. Log scale:
// a repetition is AR(1) (phi .5, sd .5 %), each process has an offset (.4 %), the GPU drifts over the processes of
// a session (AR(1) phi .9, .5 %), sessions differ (.6 %); every benchmark draws its own widths (log-normal, .5) around
// those. 15 % of benchmarks have two modes per process (30 % of processes 2.5 % slower), 1.5 % of repetitions are
// spikes (exponential, mean 8 %), and the timer ticks every 1.024 µs on repetitions of 0.5 to 10 ms.
// docs/STATISTICS.md says where these sizes come from. Deterministic for a seed within one build.

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace kernelgate::simulation {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double normal() { return normal_(engine_); }
  double uniform() { return uniform_(engine_); }
  double exponential() { return exponential_(engine_); }  // mean 1

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  std::exponential_distribution<double> exponential_;
};

// Seed of trial number `trial`: trials are independent of each other and of the order they are run in.
[[nodiscard]] std::uint64_t trial_seed(std::uint64_t seed, std::uint64_t stream, std::uint64_t trial);

// Log times of the processes of one session, each with the same number of repetitions.
class Session {
 public:
  Session(std::size_t processes, std::size_t repetitions)
      : repetitions_(repetitions), values_(processes * repetitions) {}
  [[nodiscard]] std::size_t processes() const { return values_.size() / repetitions_; }
  [[nodiscard]] std::span<double> process(std::size_t i) { return {values_.data() + i * repetitions_, repetitions_}; }
  [[nodiscard]] std::span<const double> process(std::size_t i) const {
    return {values_.data() + i * repetitions_, repetitions_};
  }

 private:
  std::size_t repetitions_;
  std::vector<double> values_;
};

// One benchmark with its own noise widths. `scale` widens or narrows all of them (1: the standard noise).
class SimulatedBenchmark {
 public:
  SimulatedBenchmark(Random& random, double scale);

  // A new session with one process for each effect; effects are true shifts in log time.
  [[nodiscard]] Session session(Random& random, std::span<const double> effects, std::size_t repetitions) const;

 private:
  double repetition_sd_, process_sd_, drift_sd_, session_sd_;
  double mode_shift_;  // 0: one mode
  double tick_;        // of the timer, as a fraction of this benchmark's repetition
};

// Differences head - base of process medians of pairs taken in the order A B B A, one session.
[[nodiscard]] std::vector<double> pair_differences(const SimulatedBenchmark& benchmark, Random& random, double effect,
                                                   std::size_t pairs, std::size_t repetitions);

[[nodiscard]] double median_of(std::span<const double> values);

}  // namespace kernelgate::simulation
