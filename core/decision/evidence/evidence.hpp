// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run found out, before anybody judges it. Filled by the runner (live), by the server (from
// the store) and by `compare` (from files); judged by decide.hpp. Pure data; times are nanoseconds
// per iteration unless a name says else.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/device_times.hpp"
#include "core/decision/evidence/pinned.hpp"
#include "core/decision/evidence/verdict.hpp"

namespace kernelgate {

// One benchmark's samples of one process, in the order they were taken.
struct Series {
  std::string benchmark;
  std::vector<double> samples_ns;
  std::string error;                       // the suite's own error_message; then samples_ns may be empty
  std::map<std::string, double> counters;  // user counters, last repetition
  std::string configuration{};             // variant and parameters that the suite chose; empty: it states none
};

enum class ProcessEnd { ok, failed, crashed, timed_out, garbage };  // failed: non-zero exit; garbage: no usable result

// One start of a suite's executable.
struct Process {
  std::string id;  // random, chosen by the runner: uploads are idempotent by it
  std::string suite;
  Side side = Side::base;
  int round = 0;    // 1: the one rerun of suspected benchmarks, never pooled with round 0
  int pair = 0;     // 0-based within the round
  int attempt = 0;  // redo number of this pair and side: the highest attempt counts
  int order = 0;    // position in time within the run
  bool disturbed = false;
  std::string disturbance;
  std::int64_t started_at_ms = 0;
  double wall_s = 0;
  double gpu_s = 0;  // seconds of the device held; of the CPU testbed's measuring time where there is no GPU
  ProcessEnd end = ProcessEnd::ok;
  int exit_code = 0;
  int signal = 0;
  std::string text;        // why it ended, last lines of stderr
  std::string state_json;  // device state (clocks, temperature, …), {} on a CPU testbed
  std::vector<Series> series;
  std::optional<DeviceTimes> device{};  // of a process under the device's clock, whose series do not count
};

// One case of a check program.
struct CheckCase {
  std::string suite;
  Side side = Side::head;
  std::string name;
  std::string shape;
  bool passed = false;
  double bound = 0;
  double max_abs_err = 0;
  double rel_err = 0;  // each figure: NaN where the program gave no number; null in JSON, NULL in the store
  std::int64_t first_bad = -1;
  std::string seed;
  std::string error_class;  // "", wrong_value, not_finite, unwritten, crashed, timed_out …
  double error_value = 0;   // the value the fingerprint carries
  std::string fingerprint;  // set for failures: check case, error class, error value to 6 digits
  std::string text;         // shown to the reader
};

// A benchmark or check case that ended without a timing. `benchmark` is the check case's name for a
// failed check.
struct CaseFailure {
  std::string benchmark;
  Side side = Side::head;
  Verdict verdict = Verdict::crashed;  // broken, crashed, timed_out or invalid
  std::string text;
  std::string fingerprint;
  int signal = 0;
};

// One kernel's device code in a built executable, as the disassembler shows it.
struct KernelCode {
  std::string kernel;  // demangled
  std::string arch;    // sm_90a
  std::string sass_sha256;
  int registers = 0, static_shared_bytes = 0, local_bytes = 0, stack_bytes = 0;
  int spill_stores = 0, spill_loads = 0;    // instructions (STL, LDL)
  std::map<std::string, int> instructions;  // by class: HGMMA, HMMA, FFMA, LDG.128 …
};

// What the profiler counted in one kernel while a benchmark ran on one side.
struct KernelProfile {
  std::string benchmark;
  Side side = Side::base;
  std::string kernel;                      // demangled
  std::map<std::string, double> counters;  // by the profiler's name of the metric, in its base unit
};

// Rates of the GPU, measured once per epoch, and its datasheet's peaks. 0: not known.
struct Ceilings {
  double copy_bytes_s = 0, l2_bytes_s = 0;
  std::map<std::string, double> flops;       // by data type: fp16, bf16, tf32, fp32, fp64, fp8
  std::map<std::string, double> peak_flops;  // datasheet, at peak_clock_mhz
  double peak_bytes_s = 0;
  double peak_clock_mhz = 0;
  double l2_bytes = 0;
};

// Stored sessions of a promoted baseline's benchmark in this epoch: log process medians, oldest session first.
struct StoredSessions {
  std::string suite;
  std::string benchmark;
  std::string baseline;  // its name
  std::string commit;
  std::vector<std::vector<double>> sessions;
};

// A regression that somebody accepted: it fails no run as long as it stays what it was.
struct Acknowledgement {
  std::int64_t id = 0;
  std::string suite;
  std::string benchmark;
  double ratio = 1;           // head over base in the run that was accepted
  double head_median_ns = 0;  // there
  std::string actor, reason;
};

// A benchmark that is too unstable here to decide: its verdict is shown and fails no run.
struct Quarantine {
  std::int64_t id = 0;
  std::string suite;
  std::string benchmark;
  std::string actor, reason;
};

struct SuiteEvidence {
  std::string name;
  std::vector<std::string> base_benchmarks;  // as each side's executable lists them
  std::vector<std::string> head_benchmarks;
  bool has_base = true;  // false: base has no such suite, or there is no base
  bool has_head = true;
  bool recorded = false;   // from files: no further pair can be taken, the last look is at the last even pair
  std::string unproven{};  // not empty: why these pairs prove no change, whatever they show
  std::string base_program{}, head_program{};  // SHA-256 of what the run line starts; empty: no file of the build
  bool identical = false;                      // executable, libraries, arguments and inputs are proven the same
  bool checks_ran = false;
  bool checks_passed = true;  // head's
  std::vector<CheckCase> checks;
  std::vector<CaseFailure> failures;
  std::vector<KernelCode> base_code{}, head_code{};  // empty: no device code, or no disassembler
  std::vector<KernelProfile> profiles{};             // of confirmed regressions, both sides
  std::vector<StoredSessions> stored{};              // only where head is compared with a stored baseline
  std::vector<PinnedResult> pinned{};                // of what moved while the sides chose differently
  ClockKind clock = ClockKind::host;                 // whose times judge; never device where there is no such clock
  std::vector<Process> processes;
};

enum class BuildEnd { not_needed, built, cached, failed, skipped };

struct RunEvidence {
  bool has_base = true;           // false: root commit or first push
  bool inputs_unchanged = false;  // base and head have the same inputs: nothing was built
  BuildEnd base_build = BuildEnd::built;
  BuildEnd head_build = BuildEnd::built;
  std::string build_text;                       // last lines of the failed build
  std::string infrastructure;                   // not empty: our fault or the machine's, in words
  std::vector<std::string> notices;             // base replaced, manifest changed in head, clock-coupled …
  std::optional<Ceilings> ceilings{};           // of this run's GPU
  std::vector<Acknowledgement> acknowledged{};  // in force in this epoch
  std::vector<Quarantine> quarantined{};        // likewise
  std::vector<SuiteEvidence> suites;
};

// The noise of a benchmark's pairs in an epoch, from its recent comparisons (rule/stored_noise.hpp); and what
// calibration found here. Either part may be absent.
struct StoredVariance {
  std::string suite;
  std::string benchmark;
  double variance = 0;    // of d = log(head) - log(base), per pair
  int degrees = 0;        // of the comparisons; below 15: there is no stored variance
  double detectable = 0;  // fraction: the least shift that max_pairs pairs distinguish from none; 0: never calibrated
  double weight = 15;     // degrees of freedom that the variance counts for: less where it is old or differs by run
  double between = 0;     // variance of a run's mean beyond what its pairs explain
  int runs = 0;           // comparisons that `between` is from
};

[[nodiscard]] std::string_view to_string(ProcessEnd);
[[nodiscard]] std::string_view to_string(BuildEnd);
[[nodiscard]] std::optional<ProcessEnd> parse_process_end(std::string_view);
[[nodiscard]] std::optional<BuildEnd> parse_build_end(std::string_view);

}  // namespace kernelgate
