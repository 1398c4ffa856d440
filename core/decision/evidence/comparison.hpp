// SPDX-License-Identifier: Apache-2.0
#pragma once

// A comparison: all pairs of one benchmark in a run, and its verdict. Pure data, made by decide.hpp.

#include <optional>
#include <string>
#include <vector>

#include "core/decision/evidence/device_times.hpp"
#include "core/decision/evidence/pinned.hpp"
#include "core/decision/evidence/policy.hpp"
#include "core/decision/evidence/verdict.hpp"

namespace kernelgate {

// One look of the sequential rule.
struct Look {
  int pairs = 0;
  double mean = 0;  // of d, natural log
  double se = 0;
  double degrees = 0;
  bool used_stored = false;
  Verdict verdict = Verdict::undecided;  // undecided: go on
};

// Tails or modes changed though the median may not have: a warning (core/shape). Counts share equal bins of log time.
struct DistributionChange {
  std::string kind;                       // tail or modes
  double base_share = 0, head_share = 0;  // of samples in the tail, or in the slower mode
  double distance = 0;                    // ratio less 1: of the modes, or from where on the tail counts
  double p = 1;
  double low_ns = 0, high_ns = 0;
  std::vector<int> base_counts, head_counts;
};

// How near the GPU's limits head came.
struct RoofPosition {
  double intensity = 0;  // FLOP per byte
  double fraction = 0;   // of the roof at that intensity
  std::string roof;      // what limits there: dram, or the data type's matrix rate
};

// One kernel of a benchmark by the device's clock; times are of one launch.
struct KernelComparison {
  std::string kernel;                           // shortened to what distinguishes it from the others
  std::string full_name;                        // demangled
  std::string grid, block;                      // head's, or base's where head has no such kernel
  Verdict verdict = Verdict::undecided;         // missing: base's alone; added: head's alone
  double base_launches = 0, head_launches = 0;  // an iteration
  std::optional<double> base_ns, head_ns;
  std::optional<double> ratio{}, ratio_low{}, ratio_high{};
};

// A benchmark by the device's clock: the time of its kernels summed over one iteration, and each of them, the one that
// changed the sum most first.
struct DeviceComparison {
  Verdict verdict = Verdict::undecided;
  Severity severity = Severity::none;
  int pairs = 0, looks = 0;
  std::optional<double> ratio{}, ratio_low{}, ratio_high{};
  std::optional<double> base_ns{}, head_ns{};  // an iteration
  std::string reason{};                        // one sentence
  std::vector<KernelComparison> kernels{};
};

struct Comparison {
  std::string suite;
  std::string benchmark;
  Verdict verdict = Verdict::undecided;
  Severity severity = Severity::none;
  std::string reason;       // one sentence
  std::string fingerprint;  // of a failure
  int round = 0;
  int pairs = 0;
  std::optional<double> ratio, ratio_low, ratio_high;  // exp(mean d) and ± t(.995)·se
  std::optional<double> hl_ratio, hl_low, hl_high;     // Hodges-Lehmann, from 6 pairs on
  std::optional<double> cliffs_delta, mwu_p;           // on process medians; absent below 4 a side
  std::optional<double> q_value;                       // Benjamini-Hochberg over the run; decides nothing
  std::optional<double> minimum_detectable;            // fraction: the shift that these pairs distinguish from none
  std::optional<double> pair_sd;                       // spread of d
  std::optional<double> base_median_ns, head_median_ns;
  double tolerate = 0, catch_limit = 0;  // the band it was judged by
  double gpu_s = 0;
  double sum_squares = 0;  // of d about its mean, and its degrees of freedom: what the stored variance is made of
  int degrees = 0;
  std::vector<Look> looks;
  std::optional<DistributionChange> distribution{};
  Against against = Against::pairs;
  std::string acknowledged{};                  // who accepted this regression, and why: then it fails nothing
  std::string quarantined{};                   // who set it aside as unstable, and why: then it decides nothing
  std::optional<double> error_factor{};        // head's largest numerical error over base's
  std::vector<std::string> code_changes{};     // of the device code: "gemm: spills 0 -> 48 bytes"
  std::vector<std::string> counter_changes{};  // of the profiler, the one that moved most first
  std::optional<RoofPosition> roof{};
  std::string base_configuration{}, head_configuration{};  // chosen by most of a side's processes; empty: none stated
  std::vector<PinnedResult> pinned{};                      // where they differ: both sides with the same one
  std::string attribution{};                               // what that says: the choice or the kernel, in one sentence
  std::optional<DeviceComparison> device{};                // absent: the host's clock alone was read
  ClockKind clock = ClockKind::host;                       // that the verdict rests on
};

// Benchmarks weighted by how often production runs them, as one figure.
struct WorkloadResult {
  std::string suite;
  std::string name;
  Verdict verdict = Verdict::undecided;
  std::optional<double> ratio, low, high;      // of the weighted total time
  int benchmarks = 0, timed = 0;               // that the workload names, and of them those with a ratio
  std::vector<std::string> gains{}, losses{};  // "gemm/64 -4.1 % (weight 30 %)", largest effect on the total first
};

// A part of a suite that moved together.
struct RegionResult {
  std::string suite;
  std::string text;  // "bf16, K < 512"
  Verdict verdict = Verdict::regressed;
  int members = 0, moved = 0, others_moved = 0;
  double median_ratio = 1;
};

struct RunDecision {
  Conclusion conclusion = Conclusion::infrastructure;
  std::string reason;   // a code where DESIGN names one (no_base, nothing_to_measure …), else a short sentence
  std::string summary;  // one sentence for people
  std::vector<std::string> notices;
  double expected_false_alarms = 0;
  std::vector<Comparison> comparisons;
  std::vector<WorkloadResult> workloads{};
  std::vector<RegionResult> regions{};
};

}  // namespace kernelgate
