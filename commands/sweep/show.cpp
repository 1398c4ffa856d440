// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "commands/sweep/sweep.hpp"
#include "core/report/text.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/report_document.hpp"

namespace kernelgate::local {
namespace {

using report::harmless;
using report::markdown_escape;
using report::pad_right;

constexpr std::size_t kTextShown = 160;  // of one point's words: the rest stands in the local store

std::string ratio_text(const PointResult& point) { return point.ratio ? fmt::format("{:.3f}", *point.ratio) : "–"; }

std::string title_of(const SweepResult& sweep) {
  return fmt::format("sweep of {} at {}: {} points", sweep.suite, sweep.commit.substr(0, 10), sweep.points.size());
}

std::string best_text(const SweepResult& sweep) {
  return sweep.best.empty() ? "no point works" : "best: " + sweep.best;
}

}  // namespace

std::string sweep_table(const std::vector<SweepResult>& sweeps) {
  std::string out;
  for (const SweepResult& sweep : sweeps) {
    std::size_t names = 5, outcomes = 7;
    for (const PointResult& point : sweep.points) {
      names = std::max(names, report::width(point.point.name()));
      outcomes = std::max(outcomes, report::width(words(point.outcome)));
    }
    out += title_of(sweep) + "\n";
    out += pad_right("point", names) + "  " + pad_right("outcome", outcomes) + "  point/reference  words\n";
    for (const PointResult& point : sweep.points)
      out += pad_right(point.point.name(), names) + "  " + pad_right(words(point.outcome), outcomes) + "  " +
             pad_right(ratio_text(point), 15) + "  " + report::shorten(harmless(point.text), kTextShown) + "\n";
    out += "\n" + best_text(sweep) + "\n";
    for (const std::string& constraint : sweep.constraints) out += constraint + "\n";
  }
  return out;
}

std::string sweep_markdown(const std::vector<SweepResult>& sweeps) {
  std::string out;
  for (const SweepResult& sweep : sweeps) {
    out += fmt::format("### {}\n\n**{}**\n\n", markdown_escape(title_of(sweep)), markdown_escape(best_text(sweep)));
    for (const std::string& constraint : sweep.constraints) out += fmt::format("- {}\n", markdown_escape(constraint));
    out += "\n| point | outcome | point/reference | words |\n|---|---|--:|---|\n";
    for (const PointResult& point : sweep.points)
      out += fmt::format("| {} | {} | {} | {} |\n", markdown_escape(point.point.name()), words(point.outcome),
                         ratio_text(point), markdown_escape(report::shorten(harmless(point.text), kTextShown)));
    out += "\n";
  }
  return out;
}

std::string sweep_json(const std::vector<SweepResult>& sweeps) {
  wire::SweepDocument out;
  for (const SweepResult& sweep : sweeps) {
    auto& shown = out.sweeps.emplace_back();
    shown = {.suite = sweep.suite,
             .commit = sweep.commit,
             .best = sweep.best,
             .constraints = sweep.constraints,
             .points = {}};
    for (const PointResult& point : sweep.points)
      shown.points.push_back({.point = point.point.values,
                              .outcome = point.outcome,
                              .failed = point.failed,
                              .ratio = point.ratio,
                              .benchmarks = point.benchmarks,
                              .gpu_s = point.gpu_s,
                              .run = point.run,
                              .text = point.text});
  }
  return wire::print(out);
}

}  // namespace kernelgate::local
