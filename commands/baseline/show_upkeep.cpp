// SPDX-License-Identifier: Apache-2.0
// Differences, quarantines and thinning, for people and as JSON.
#include <fmt/format.h>

#include <algorithm>

#include "commands/baseline/baseline.hpp"
#include "core/report/text.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate::local {
namespace {

using report::harmless;

std::string side(const wire::DiffSide& one) {
  const std::string commit = harmless(one.commit.substr(0, 10));
  return one.baseline.empty() ? commit : harmless(one.baseline) + " (" + commit + ")";
}

std::string signed_percent(double ratio) { return fmt::format("{:+.2f}", 100 * (ratio - 1)); }

std::string milliseconds(const std::optional<double>& ns) { return ns ? fmt::format("{:.4g}", *ns / 1e6) : "-"; }

std::string basis(const wire::DiffRow& row) {
  if (row.basis == "pairs") return fmt::format("{} pairs of run {}", row.a_processes, row.run.value_or(0));
  return fmt::format("{}/{} sessions, {}/{} processes", row.a_sessions, row.b_sessions, row.a_processes,
                     row.b_processes);
}

std::string row_text(const wire::DiffRow& row, std::size_t width) {
  const std::string interval =
      row.ratio_low && row.ratio_high
          ? fmt::format(" [{}, {}]", signed_percent(*row.ratio_low), signed_percent(*row.ratio_high))
          : "";
  const std::string shift = row.ratio ? signed_percent(*row.ratio) + " %" + interval : "-";
  return fmt::format("{}  {:>10}  {:>10}  {:<28}  {}{}\n",
                     report::pad_right(harmless(row.suite + ": " + row.benchmark), width),
                     milliseconds(row.a_median_ns), milliseconds(row.b_median_ns), shift, basis(row),
                     row.note.empty() ? "" : "; " + harmless(row.note));
}

std::string line_of(const wire::QuarantineRecord& one) {
  std::string out =
      fmt::format("{:>4}  {}: {}  {}  since {} by {}: {}", one.id, harmless(one.suite), harmless(one.benchmark),
                  one.epoch ? fmt::format("epoch {}", *one.epoch) : "every epoch", to_iso8601(one.began_at),
                  harmless(one.actor), harmless(one.reason));
  if (one.released_at)
    out += fmt::format("; released {} by {}: {}", to_iso8601(*one.released_at), harmless(one.released_by),
                       harmless(one.released_reason));
  if (!one.suggestion.empty()) out += "\n      " + harmless(one.suggestion);
  return out + "\n";
}

}  // namespace

std::string diff_table(const wire::BaselineDiff& diff) {
  std::size_t width = 9;
  for (const wire::DiffRow& row : diff.rows)
    width = std::max(width, report::width(harmless(row.suite + ": " + row.benchmark)));
  std::string out = side(diff.a) + " to " + side(diff.b) + ": above zero is slower\n";
  out += fmt::format("{}  {:>10}  {:>10}  {:<28}  {}\n", report::pad_right("benchmark", width), "a ms", "b ms",
                     "b over a [99 %]", "from");
  for (const wire::DiffRow& row : diff.rows) out += row_text(row, width);
  for (const std::string& notice : diff.notices) out += "note: " + harmless(notice) + "\n";
  return out;
}

std::string diff_json(const wire::BaselineDiff& diff) { return wire::as_document(wire::encode(diff)); }

std::string quarantine_table(const std::vector<wire::QuarantineRecord>& quarantines) {
  if (quarantines.empty()) return "no benchmark is quarantined\n";
  std::string out;
  for (const wire::QuarantineRecord& one : quarantines) out += line_of(one);
  return out;
}

std::string quarantine_json(const std::vector<wire::QuarantineRecord>& quarantines) {
  return wire::list_document("quarantines", quarantines);
}

std::string prune_text(const wire::PruneReply& reply) {
  return fmt::format(
      "{} {} runs, {} series: {} bytes of samples {}; {} old runs are baselines or their sessions and keep theirs\n"
      "{} bytes of the file are free and are used before it grows\n",
      reply.dry_run ? "would thin" : "thinned", reply.runs, reply.series, reply.bytes,
      reply.dry_run ? "would come back" : "came back", reply.kept_runs, reply.free_bytes);
}

}  // namespace kernelgate::local
