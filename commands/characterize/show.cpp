// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands/characterize/figures.hpp"
#include "core/report/text.hpp"

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
                     duration(b.high_ns), 100 * b.coverage, 100 * b.within, 100 * b.between,
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
  using Json = nlohmann::ordered_json;
  Json out{{"schema", 1}, {"suites", Json::array()}};
  for (const SuiteFigures& suite : suites) {
    Json benchmarks = Json::array();
    for (const BenchmarkFigures& b : suite.benchmarks)
      benchmarks.push_back(
          {{"benchmark", b.benchmark},
           {"samples", b.samples},
           {"processes", b.processes},
           {"median_ns", b.median_ns},
           {"low_ns", b.low_ns},
           {"high_ns", b.high_ns},
           {"coverage", b.coverage},
           {"spread_within", b.within},
           {"spread_between", b.between},
           {"roof", b.roof
                        ? Json{{"intensity", b.roof->intensity}, {"fraction", b.roof->fraction}, {"roof", b.roof->roof}}
                        : Json(nullptr)},
           {"impossible", b.impossible},
           {"sm_mhz_low", b.sm_mhz_low},
           {"sm_mhz_high", b.sm_mhz_high},
           {"error", b.error}});
    out["suites"].push_back({{"suite", suite.suite},
                             {"commit", suite.commit},
                             {"testbed", suite.testbed},
                             {"checks",
                              {{"cases", suite.checks.cases},
                               {"failed", suite.checks.failed},
                               {"worst_rel_err", suite.checks.worst_rel_err},
                               {"text", suite.checks.text}}},
                             {"processes", suite.processes},
                             {"disturbed", suite.disturbed},
                             {"gpu_s", suite.gpu_s},
                             {"price", suite.price},
                             {"notes", suite.notes},
                             {"benchmarks", std::move(benchmarks)}});
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kernelgate::local
