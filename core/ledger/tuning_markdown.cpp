// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/ledger/findings.hpp"
#include "core/ledger/notices.hpp"
#include "core/ledger/outcome.hpp"
#include "core/ledger/tuning.hpp"
#include "core/report/text.hpp"

namespace kernelgate::ledger {
namespace {

using report::markdown_escape;

constexpr std::size_t kNamesShown = 8;     // of benchmarks and shapes: a list, not the whole matrix
constexpr std::size_t kTextColumns = 160;  // of a detail: the run's page has the rest

std::string money_text(const std::optional<double>& money) { return money ? fmt::format("{:.2f}", *money) : "–"; }

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(kNamesShown, names.size()); ++i)
    out += (i == 0 ? "" : ", ") + markdown_escape(names[i]);
  if (names.size() > kNamesShown) out += fmt::format(" and {} more", names.size() - kNamesShown);
  return out.empty() ? "–" : out;
}

std::string day_of(Instant at) { return to_iso8601(at).substr(0, 10); }

std::string head_of(const wire::TuningReport& report) {
  std::string out = fmt::format("# Tuning report: {}\n\n", markdown_escape(report.repository));
  out += report.attempts.empty()
             ? "No attempt"
             : fmt::format("{} attempt{}", report.attempts.size(), report.attempts.size() == 1 ? "" : "s");
  if (!report.branch.empty()) out += " of " + markdown_escape(report.branch);
  if (!report.since.empty()) out += " since " + markdown_escape(report.since);
  if (report.from && report.to) {
    const std::string from = day_of(*report.from), to = day_of(*report.to);
    out += from == to ? ", " + from : fmt::format(", {} to {}", from, to);
  }
  out += ".";
  if (report.is_cut) out += " There are more: these are the newest.";
  return out + "\n\n**Objective.** " + markdown_escape(report.objective) + "\n";
}

std::string bullets(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string out = fmt::format("\n## {}\n\n", title);
  for (const std::string& line : lines) out += "- " + markdown_escape(line) + "\n";
  return out;
}

std::string matrix_of(const wire::TuningReport& report) {
  if (report.suites.empty() && report.testbeds.empty()) return {};
  std::string out = "\n## Test matrix\n";
  if (!report.suites.empty()) out += "\n| suite | benchmarks | shapes checked |\n|---|---|---|\n";
  for (const wire::TuningSuite& suite : report.suites)
    out += fmt::format("| {} | {}: {} | {} |\n", markdown_escape(suite.name), suite.benchmarks.size(),
                       list_of(suite.benchmarks), list_of(suite.shapes));
  if (!report.testbeds.empty())
    out += "\n| testbed | device | driver | toolkit | host | runs |\n|---|---|---|---|---|--:|\n";
  const auto cell = [](const std::string& text) { return text.empty() ? std::string("–") : markdown_escape(text); };
  for (const wire::TuningTestbed& bed : report.testbeds)
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", cell(bed.name),
                       bed.gpu_model.empty() ? "processor" : cell(bed.gpu_model + " (" + bed.compute_capability + ")"),
                       cell(bed.driver), cell(bed.toolkit), cell(bed.host_cpu), bed.runs);
  return out;
}

// What is known of why: the failure, likeness to others, the lesson.
std::string remarks_of(const wire::Attempt& attempt) {
  std::vector<std::string> out;
  const bool plain = !attempt.failed && attempt.outcome != Outcome::not_measured;
  if (!plain && !attempt.detail.empty())
    out.push_back(markdown_escape(report::shorten(report::harmless(attempt.detail), kTextColumns)));
  if (attempt.error_factor) out.push_back(fmt::format("error x{:.3g}", *attempt.error_factor));
  for (const std::string& notice : attempt.notices) out.push_back(markdown_escape(notice));
  if (!attempt.lesson.empty()) out.push_back("lesson: " + markdown_escape(attempt.lesson));
  return fmt::format("{}", fmt::join(out, "; "));
}

std::string range_of(const wire::Attempt& attempt) {
  if (!attempt.best || !attempt.worst) return "–";
  const std::string best = markdown_escape(ratio_text(*attempt.best));
  const std::string worst = markdown_escape(ratio_text(*attempt.worst));
  return attempt.timed == 1 ? best : best + " … " + worst;
}

std::string attempts_of(const wire::TuningReport& report) {
  if (report.attempts.empty()) return {};
  return "\n## Attempts\n\nTimes are head over base: the fastest … the slowest benchmark, with its interval.\n\n" +
         attempts_markdown(report.attempts);
}

std::string landed_of(const wire::TuningReport& report) {
  if (report.landed.empty()) return {};
  std::string out = "\n## What landed\n\n| run | commit | subject | outcome | time |\n|--:|---|---|---|---|\n";
  for (const wire::TuningLanded& run : report.landed) {
    const std::string time = !run.best || !run.worst ? "–"
                                                     : markdown_escape(ratio_text(*run.best)) + " … " +
                                                           markdown_escape(ratio_text(*run.worst));
    out += fmt::format("| {} | {} | {} | {} | {} |\n", run.run, markdown_escape(run.commit.substr(0, 10)),
                       markdown_escape(run.subject), words(run.outcome), time);
  }
  return out;
}

std::string cost_of(const wire::TuningReport& report) {
  const double all = seconds_of(report.cost);
  if (all <= 0) return {};
  std::string out = "\n## Cost\n\n| phase | seconds | share |\n|---|--:|--:|\n";
  for (const auto& [phase, seconds] : {std::pair("build", report.cost.build_s), std::pair("check", report.cost.check_s),
                                       std::pair("measure", report.cost.measure_s)})
    out += fmt::format("| {} | {:.1f} | {:.0f} % |\n", phase, seconds, 100 * seconds / all);
  out += fmt::format("| all | {:.1f} | {} |\n", all,
                     report.cost.money ? money_text(report.cost.money) + " for the device" : "no price is known");
  out += "\n| outcome | attempts | seconds | money |\n|---|--:|--:|--:|\n";
  for (const wire::TuningOutcome& one : report.outcomes) {
    out += fmt::format("| {} | {} | {:.1f} | {} |\n", words(one.outcome), one.attempts, one.seconds,
                       money_text(one.money));
  }
  return out;
}

}  // namespace

std::string attempts_markdown(const std::vector<wire::Attempt>& attempts) {
  std::string out = "| # | what | hypothesis | outcome | time | cost, s | remarks |\n|--:|---|---|---|---|--:|---|\n";
  for (const wire::Attempt& attempt : attempts) {
    std::string what = markdown_escape(name_of(attempt));
    if (!attempt.subject.empty() && attempt.kind != wire::AttemptKind::point)
      what += "<br>" + markdown_escape(attempt.subject);
    out +=
        fmt::format("| {} | {} | {} | {} | {} | {:.1f} | {} |\n", attempt.id, what, markdown_escape(attempt.hypothesis),
                    words(attempt.outcome), range_of(attempt), seconds_of(attempt.cost), remarks_of(attempt));
  }
  return out;
}

std::string tuning_markdown(const wire::TuningReport& report) {
  return head_of(report) + bullets("Findings", report.findings) + matrix_of(report) + attempts_of(report) +
         landed_of(report) + cost_of(report) + bullets("Not tried", report.not_tried);
}

}  // namespace kernelgate::ledger
