// SPDX-License-Identifier: Apache-2.0
#include "server/forge/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/report/report.hpp"
#include "core/report/text.hpp"
#include "core/units/limits.hpp"
#include "service/outbox/outbox.hpp"

namespace kernelgate::forge {
namespace {

std::string_view words_of_phase(std::string_view phase) {
  if (phase == "held") return "Waits for approval: it comes from a fork";
  if (phase == "queued") return "Queued";
  return phase == "building" ? "Building and checking" : "Measuring";
}

// "regressed", and why a run was cancelled.
std::string ending(const wire::Run& run) {
  const Conclusion conclusion = conclusion_of(run);
  std::string words = conclusion == Conclusion::cancelled || run.summary.empty() ? run.reason : run.summary;
  return std::string(to_string(conclusion)) + (words.empty() ? "" : ": " + words);
}

// " at FILE:LINE" in a failure's text; where a file is named from the root, only below the tree.
std::pair<std::string, int> place_in(std::string_view text) {
  for (std::size_t at = text.find(" at "); at != text.npos; at = text.find(" at ", at + 1)) {
    std::string_view word = text.substr(at + 4);
    word = word.substr(0, word.find_first_of(" ;,"));
    while (!word.empty() && word.back() == ':') word.remove_suffix(1);
    const std::size_t colon = word.rfind(':');
    if (colon == word.npos || word.find('.') == word.npos) continue;
    int line = 0;
    const char* const end = word.data() + word.size();
    const auto read = std::from_chars(word.data() + colon + 1, end, line);
    const std::string_view path = word.substr(0, colon);
    if (read.ec == std::errc{} && read.ptr == end && line > 0 && !path.empty() && path.front() != '/')
      return {report::harmless(path), line};
  }
  return {};
}

// Of the same intervals as the table; nothing where none was timed.
std::string picture(const RunReport& report) {
  const auto& all = report.run.comparisons;
  const bool timed = std::any_of(all.begin(), all.end(), [](const Comparison& one) { return one.ratio.has_value(); });
  if (report.plot.empty() || !timed) return {};
  return fmt::format("\n[![Each benchmark's ratio with its interval]({})]({})\n", report.plot, report.url);
}

}  // namespace

std::string_view phase_of(RunState state) {
  if (is_finished(state)) return service::kFinishedPhase;
  if (is_waiting(state)) return to_string(state);
  return state == RunState::measuring || state == RunState::deciding ? "measuring" : "building";
}

Conclusion conclusion_of(const wire::Run& run) { return run.conclusion.value_or(Conclusion::cancelled); }

std::string status_text(const RunReport& report) {
  if (report.phase != service::kFinishedPhase) return std::string(words_of_phase(report.phase));
  return report::shorten(report::harmless(ending(report.run)), limits::kForgeStatusMax);
}

std::string report_text(const RunReport& report) {
  const report::Report whole = report::report_of(report.run);
  const auto link = [&report](std::size_t hidden_from) {
    return hidden_from == 0
               ? fmt::format("\n[Run {}]({})\n", report.run.id, report.url)
               : fmt::format("\nThe rest stands on the page of [run {}]({}).\n", report.run.id, report.url);
  };
  const auto heading = fmt::format("### {}\n\n", report::markdown_escape(whole.title));
  if (report.phase != service::kFinishedPhase)
    return heading + std::string(words_of_phase(report.phase)) + ".\n" + link(0);
  if (conclusion_of(report.run) == Conclusion::cancelled)
    return heading + report::markdown_escape(ending(report.run)) + "\n" + link(0);
  std::string text = report::to_markdown(whole, limits::kForgeRowsMax);
  if (text.size() <= limits::kForgeTextMax) return text + picture(report) + link(0);
  const std::size_t end = text.rfind('\n', limits::kForgeTextMax);  // whole lines, so that no markup is cut in two
  text.resize(end == text.npos ? 0 : end + 1);
  return text + picture(report) + link(end);
}

std::vector<Annotation> annotations_of(const wire::Run& run) {
  std::vector<Annotation> out;
  for (const Comparison& c : run.comparisons) {
    if (c.verdict != Verdict::broken && c.verdict != Verdict::crashed) continue;
    auto [path, line] = place_in(c.reason);
    if (path.empty() || out.size() == limits::kForgeAnnotationsMax) continue;
    out.push_back({.path = std::move(path),
                   .line = line,
                   .title = report::harmless(fmt::format("{}: {}", c.benchmark, to_string(c.verdict))),
                   .message = report::harmless(c.reason)});
  }
  return out;
}

}  // namespace kernelgate::forge
