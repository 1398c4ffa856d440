// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands/baseline/baseline.hpp"
#include "core/report/text.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate::local {
namespace {

using report::harmless;

std::string line_of(const wire::Baseline& one) {
  return fmt::format("{:>4}  {}{}{}  {}  run {}, epoch {}, {} sessions  {} by {}: {}\n", one.id, harmless(one.name),
                     one.anchor ? " (anchor)" : "", one.replaced_at ? " (replaced)" : "", one.commit.substr(0, 10),
                     one.run, one.epoch, one.sessions, to_iso8601(one.promoted_at), harmless(one.actor),
                     harmless(one.reason));
}

std::string line_of(const wire::AcknowledgementRecord& one) {
  std::string out = fmt::format("{:>4}  run {}, '{}'  {} by {}: {}", one.id, one.run, harmless(one.match),
                                to_iso8601(one.accepted_at), harmless(one.actor), harmless(one.reason));
  if (one.expires_at) out += ", until " + to_iso8601(*one.expires_at);
  if (one.revoked_at) out += fmt::format("; revoked by {}: {}", harmless(one.revoked_by), harmless(one.revoked_reason));
  out += "\n";
  for (const wire::AcceptedBenchmark& each : one.benchmarks)
    out += fmt::format("      {}: {} {:+.2f} %\n", each.suite, each.benchmark, 100 * (each.ratio - 1));
  return out;
}

}  // namespace

std::string baseline_table(const BaselineList& list) {
  std::string out = list.baselines.empty() ? "no baseline is promoted\n" : "";
  for (const wire::Baseline& one : list.baselines) out += line_of(one);
  if (!list.acknowledgements.empty()) out += "accepted regressions:\n";
  for (const wire::AcknowledgementRecord& one : list.acknowledgements) out += line_of(one);
  return out;
}

std::string acceptance_table(const wire::AcknowledgementRecord& made) { return "accepted:\n" + line_of(made); }

std::string baseline_json(const BaselineList& list) {
  return wire::print(wire::BaselineDocument{.baselines = list.baselines, .acknowledgements = list.acknowledgements});
}

}  // namespace kernelgate::local
