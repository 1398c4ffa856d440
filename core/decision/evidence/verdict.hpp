// SPDX-License-Identifier: Apache-2.0
#pragma once

// The words of a judgement: verdict of a comparison, conclusion of a run, and what they mean to a caller.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kernelgate {

enum class Side { base, head };

enum class Verdict {
  regressed,
  improved,
  unchanged,
  undecided,
  suspected,  // undecided, and the estimate is slower by at least the midpoint of tolerate and catch
  broken,     // wrong numbers
  crashed,    // signal, CUDA error
  timed_out,
  invalid,    // faster than the hardware can be
  missing,    // in base, not in head
  added,      // in head, not in base
  identical,  // same executable, libraries, arguments and inputs: not timed
};

enum class Severity { none, small, full };  // of `regressed`; small: also proven below the catch limit

enum class Conclusion { passed, regressed, broken, build_failed, undecided, infrastructure, cancelled };

enum class RunState {
  held,  // of a fork: waits for somebody with trigger rights to approve it
  queued,
  claimed,
  building,
  checking,
  measuring,
  deciding,
  done,
  aborted,
  cancelled
};

[[nodiscard]] std::string_view to_string(Side);
[[nodiscard]] std::string_view to_string(Verdict);
[[nodiscard]] std::string_view to_string(Severity);
[[nodiscard]] std::string_view to_string(Conclusion);
[[nodiscard]] std::string_view to_string(RunState);
[[nodiscard]] std::optional<Side> parse_side(std::string_view);
[[nodiscard]] std::optional<Verdict> parse_verdict(std::string_view);
[[nodiscard]] std::optional<Severity> parse_severity(std::string_view);
[[nodiscard]] std::optional<Conclusion> parse_conclusion(std::string_view);
[[nodiscard]] std::optional<RunState> parse_run_state(std::string_view);

// The order in which people read verdicts, everywhere: from what blocks a push down to what needs no look.
inline constexpr std::array kReadingOrder{Verdict::broken,    Verdict::crashed,   Verdict::timed_out,
                                          Verdict::invalid,   Verdict::regressed, Verdict::suspected,
                                          Verdict::undecided, Verdict::missing,   Verdict::improved,
                                          Verdict::unchanged, Verdict::added,     Verdict::identical};
[[nodiscard]] std::size_t reading_rank(Verdict);  // its place there
[[nodiscard]] bool is_failure(Verdict);           // the kernel does not work: broken, crashed, timed_out or invalid

[[nodiscard]] bool is_finished(RunState);
[[nodiscard]] bool is_waiting(RunState);  // held or queued: no runner works on it

// The table of DESIGN section 1.
[[nodiscard]] int exit_code(Conclusion);                          // 0, 1, 3 or 4; 2 is bad input, where there is no run
[[nodiscard]] std::string_view commit_status(Conclusion);         // success, failure, error
[[nodiscard]] std::string_view check_run_conclusion(Conclusion);  // success, failure, neutral, cancelled
[[nodiscard]] bool blocks_push(Conclusion);

inline constexpr int kExitBadInput = 2;

}  // namespace kernelgate
