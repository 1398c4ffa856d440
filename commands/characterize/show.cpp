// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands/characterize/figures.hpp"
#include "core/report/text.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate::local {
namespace {

using report::duration;
using report::markdown_escape;

std::string row_of(const BenchmarkFigures& b) {
  if (b.processes == 0)
    return fmt::format("| {} | – | – | – | – | – | – | {} |\n", markdown_escape(b.benchmark), markdown_escape(b.error));
  const std::string roof =
      b.roof ? fmt::format("{:.1f} % of {}, {:.3g} FLOP/B", 100 * b.roof->fraction, b.roof->roof, b.roof->intensity)
             : std::string("–");
  const std::string clock =
      b.sm_mhz_high > 0 ? fmt::format("{:.0f} to {:.0f} MHz", b.sm_mhz_low, b.sm_mhz_high) : std::string("–");
  return fmt::format("| {} | {} in {} | {} | {} to {} ({:.1f} %) | {:.2f} % | {:.2f} % | {} | {} |\n",
                     markdown_escape(b.benchmark), b.samples, b.processes, duration(b.median_ns), duration(b.low_ns),
                     duration(b.high_ns), 100 * b.coverage, 100 * b.spread_within, 100 * b.spread_between,
                     markdown_escape(b.impossible.empty() ? roof : "INVALID: " + b.impossible), clock);
}

std::string checks_text(const CheckFigures& checks) {
  if (checks.cases == 0) return "no checks";
  return fmt::format("{} of {} check cases pass, largest rel_err {:.3g}{}", checks.cases - checks.failed, checks.cases,
                     checks.worst_rel_err, checks.text.empty() ? "" : "; " + checks.text);
}

}  // namespace

std::string characterize_markdown(const std::vector<SuiteFigures>& suites) {
  std::string out;
  for (const SuiteFigures& suite : suites) {
    out += fmt::format("### {} at {}\n\nTestbed: {}. ", markdown_escape(suite.suite), suite.commit.substr(0, 10),
                       markdown_escape(suite.testbed));
    out += fmt::format("Correctness: {}. ", markdown_escape(checks_text(suite.checks)));
    out += fmt::format("{} processes, {} disturbed. Cost: {:.1f} s of the device{}.\n\n", suite.processes,
                       suite.disturbed, suite.gpu_s, suite.price > 0 ? fmt::format(", price {:.4f}", suite.price) : "");
    out += "| benchmark | samples | median | interval of the median | spread within | between | roof | clock |\n";
    out += "|---|--:|--:|---|--:|--:|---|---|\n";
    for (const BenchmarkFigures& benchmark : suite.benchmarks) out += row_of(benchmark);
    for (const std::string& note : suite.notes) out += fmt::format("\n> {}\n", markdown_escape(note));
    out += "\n";
  }
  return out +
         "Median and interval: of the process medians. Spread within: interquartile range of a process over its "
         "median. Between: standard deviation of the logarithms of the process medians.\n";
}

std::string characterize_json(const std::vector<SuiteFigures>& suites) {
  return wire::print(wire::CharacterizeDocument{.suites = suites});
}

}  // namespace kernelgate::local
