// SPDX-License-Identifier: Apache-2.0

#include "commands/bundle/replay.hpp"
#include "core/report/text.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate::bundle {
namespace {

std::string words_of(const Replay& replay) {
  const bool same_program = replay.decided_by == replay.replayed_by;
  const std::string by = same_program ? "by the program that decided" : "by " + replay.replayed_by;
  const std::string was = same_program ? "" : " (decided by " + replay.decided_by + ")";
  switch (replay.same) {
    case Sameness::bytes: return "replayed " + by + ": the same decision, byte for byte" + was;
    case Sameness::figures:
      return same_program ? "replayed " + by + ": the same verdicts, looks and 12 digits, but not the same bytes"
                          : "replayed " + by + ": the same verdicts, looks and 12 digits" + was;
    case Sameness::differs: return "replayed " + by + ": NOT the same" + was;
  }
  return {};
}

}  // namespace

std::string to_table(const Replay& replay, const report::TableStyle& style) {
  report::Report page;
  page.title = replay.title;
  page.decision = replay.decision;
  std::string out = report::to_table(page, style);
  const auto add = [&](const std::string& text) {
    for (const std::string& line : report::wrap(report::harmless(text), style.columns)) out += line + "\n";
  };
  add(words_of(replay));
  if (!replay.thinned_at.empty())
    add("its samples were thinned to quantiles at " + replay.thinned_at + ": tails and modes are not replayed");
  for (const std::string& line : replay.differences) add("  " + line);
  return out;
}

std::string to_json(const Replay& replay) {
  return wire::print(wire::ReplayDocument{.run = replay.run,
                                          .same = replay.same,
                                          .exit_code = exit_code(replay),
                                          .thinned_at = replay.thinned_at,
                                          .decided_by = replay.decided_by,
                                          .replayed_by = replay.replayed_by,
                                          .rule_version = replay.rule_version,
                                          .differences = replay.differences,
                                          .decision = replay.decision});
}

}  // namespace kernelgate::bundle
