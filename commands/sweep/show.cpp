// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "commands/sweep/sweep.hpp"
#include "core/report/text.hpp"

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
      outcomes = std::max(outcomes, report::width(point.outcome));
    }
    out += title_of(sweep) + "\n";
    out += pad_right("point", names) + "  " + pad_right("outcome", outcomes) + "  point/reference  words\n";
    for (const PointResult& point : sweep.points)
      out += pad_right(point.point.name(), names) + "  " + pad_right(point.outcome, outcomes) + "  " +
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
      out += fmt::format("| {} | {} | {} | {} |\n", markdown_escape(point.point.name()), point.outcome,
                         ratio_text(point), markdown_escape(report::shorten(harmless(point.text), kTextShown)));
    out += "\n";
  }
  return out;
}

std::string sweep_json(const std::vector<SweepResult>& sweeps) {
  using Json = nlohmann::ordered_json;
  Json out{{"schema", 1}, {"sweeps", Json::array()}};
  for (const SweepResult& sweep : sweeps) {
    Json points = Json::array();
    for (const PointResult& point : sweep.points)
      points.push_back({{"point", point.point.values},
                        {"outcome", point.outcome},
                        {"failed", point.failed},
                        {"ratio", point.ratio ? Json(*point.ratio) : Json(nullptr)},
                        {"benchmarks", point.benchmarks},
                        {"gpu_s", point.gpu_s},
                        {"run", point.run},
                        {"text", point.text}});
    out["sweeps"].push_back({{"suite", sweep.suite},
                             {"commit", sweep.commit},
                             {"best", sweep.best},
                             {"constraints", sweep.constraints},
                             {"points", std::move(points)}});
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kernelgate::local
