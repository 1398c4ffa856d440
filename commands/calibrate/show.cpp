// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "commands/calibrate/calibrate.hpp"
#include "commands/calibrate/trials.hpp"
#include "core/report/text.hpp"
#include "core/units/time.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/tool_documents.hpp"

namespace kernelgate::local {
namespace {

using service::CalibratedBenchmark;
using service::Outranked;

// What the rule said of all trials at one slowdown. The repository's own suites have slowdown 0.
struct Sum {
  int trials = 0, regressed = 0, improved = 0, suspected = 0;
};

std::map<double, Sum> sums_of(const Calibrated& calibrated) {
  std::map<double, Sum> out;
  for (const CalibratedBenchmark& each : calibrated.found.benchmarks) {
    Sum& sum = out[each.injected];
    sum.trials += each.trials;
    sum.regressed += each.regressed;
    sum.improved += each.improved;
    sum.suspected += each.suspected;
  }
  return out;
}

std::string rate_text(int hits, int trials) {
  if (trials == 0) return "no trial: one takes as many pairs as the policy's max_pairs; give more with --pairs";
  const Rate rate = rate_of(hits, trials);
  return fmt::format("{} of {} trials ({:.1f} %, 95 % interval {:.2g} to {:.2g} %)", hits, trials, 100 * rate.estimate,
                     100 * rate.low, 100 * rate.high);
}

std::string signed_percent(double ratio) { return fmt::format("{:+.2f}", 100 * (ratio - 1)); }

double pair_sd(const CalibratedBenchmark& one) { return std::sqrt(one.sum_squares / one.degrees); }

std::string row(const CalibratedBenchmark& one, std::size_t width) {
  const std::string name = report::pad_right(report::shorten(report::harmless(one.benchmark), width), width);
  return fmt::format("{}  {:>8}  {:>7} [{}, {}]  {:>7.2f}  {:>10.2f}  {}/{}/{}/{}/{} of {}\n", name,
                     one.injected == 0 ? "-" : fmt::format("+{:.3g}", 100 * one.injected), signed_percent(one.ratio),
                     signed_percent(one.ratio_low), signed_percent(one.ratio_high), 100 * pair_sd(one),
                     100 * one.detectable, one.regressed, one.suspected, one.undecided, one.unchanged, one.improved,
                     one.trials);
}

wire::PrintedRate printed_rate(int hits, int trials) {
  const Rate rate = rate_of(hits, trials);
  return {.hits = hits, .trials = trials, .rate = rate.estimate, .low = rate.low, .high = rate.high};
}

const Outranked* outranked(const Calibrated& calibrated, const CalibratedBenchmark& one) {
  for (const Outranked& each : calibrated.outranked)
    if (each.suite == one.suite && each.benchmark == one.benchmark) return &each;
  return nullptr;
}

// Both calibrations are stored; which one speaks, and why.
std::string outranked_text(const Calibrated& calibrated) {
  std::string out;
  for (const CalibratedBenchmark& one : calibrated.found.benchmarks)
    if (const Outranked* by = one.injected == 0 ? outranked(calibrated, one) : nullptr)
      out += fmt::format(
          "{}: the calibration of {} counts on, {} degrees of freedom against {} here (detectable {:.3g} %, here "
          "{:.3g} %): give more --pairs to replace it\n",
          report::harmless(one.benchmark), to_iso8601(by->by.at), by->by.degrees, one.degrees, 100 * by->by.detectable,
          100 * one.detectable);
  return out;
}

// "calibration/memory: 3 % is not detectable here (4.2 % at best in 16 pairs)" for each such benchmark.
std::string limits_text(const Calibrated& calibrated) {
  std::string out;
  for (const CalibratedBenchmark& one : calibrated.found.benchmarks) {
    const Outranked* by = outranked(calibrated, one);
    const double detectable = by ? by->by.detectable : one.detectable;
    if (one.injected == 0 && detectable >= one.catch_limit)
      out += fmt::format(
          "{}: {:.3g} % is not detectable here, {:.3g} % is: its verdicts will be undecided, never "
          "unchanged\n",
          report::harmless(one.benchmark), 100 * one.catch_limit, 100 * detectable);
  }
  return out;
}

}  // namespace

std::string to_table(const Calibrated& calibrated, const report::TableStyle& style) {
  constexpr std::size_t kBeside = 70;
  std::size_t width = 12;
  for (const CalibratedBenchmark& one : calibrated.found.benchmarks)
    width = std::max(width, report::width(report::harmless(one.benchmark)));
  width = std::min(width, style.columns > kBeside + 12 ? style.columns - kBeside : std::size_t{12});
  std::string out = fmt::format("{}; {} at {} pairs a benchmark\n", report::harmless(calibrated.testbed),
                                calibrated.found.commit.substr(0, 10), calibrated.pairs);
  out += fmt::format(
      "{}  injected  measured % [99 %]       pair sd  detectable  regressed/suspected/undecided/"
      "unchanged/improved\n",
      report::pad_right("benchmark", width));
  for (const CalibratedBenchmark& one : calibrated.found.benchmarks) out += row(one, width);
  out += "\n";
  for (const auto& [injected, sum] : sums_of(calibrated)) {
    if (injected == 0)
      out += "False alarms, a program against itself: " + rate_text(sum.regressed + sum.improved, sum.trials) + "\n";
    else
      out += fmt::format("Caught at +{:.3g} % of work: {}, {} more suspected\n", 100 * injected,
                         rate_text(sum.regressed, sum.trials), sum.suspected);
  }
  out += outranked_text(calibrated) + limits_text(calibrated);
  for (const std::string& one : calibrated.quarantined) out += "quarantined: " + report::harmless(one) + "\n";
  if (calibrated.server) out += fmt::format("the server keeps it for epoch {}\n", calibrated.server->epoch);
  if (calibrated.server)
    for (const std::string& one : calibrated.server->quarantined)
      out += "quarantined on the server: " + report::harmless(one) + "\n";
  for (const std::string& notice : calibrated.notices) out += "note: " + report::harmless(notice) + "\n";
  return out;
}

std::string to_json(const Calibrated& calibrated) {
  wire::CalibrateDocument out{.commit = calibrated.found.commit,
                              .testbed = calibrated.testbed,
                              .rule_version = calibrated.found.rule_version,
                              .program = calibrated.found.program,
                              .at = calibrated.found.at,
                              .pairs = calibrated.pairs,
                              .notices = calibrated.notices,
                              .quarantined = calibrated.quarantined,
                              .server = calibrated.server,
                              .outranked = {},
                              .false_alarms = {},
                              .caught = {},
                              .benchmarks = calibrated.found.benchmarks};
  for (const auto& [injected, sum] : sums_of(calibrated)) {
    if (injected == 0)
      out.false_alarms = printed_rate(sum.regressed + sum.improved, sum.trials);
    else
      out.caught.push_back(
          {.rate = printed_rate(sum.regressed, sum.trials), .injected = injected, .suspected = sum.suspected});
  }
  for (const Outranked& one : calibrated.outranked)
    out.outranked.push_back({.suite = one.suite,
                             .benchmark = one.benchmark,
                             .degrees = one.by.degrees,
                             .detectable = one.by.detectable,
                             .at = one.by.at});
  return wire::print(out);
}

}  // namespace kernelgate::local
