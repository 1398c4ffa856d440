// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/stats/summary.hpp"
#include "core/units/limits.hpp"
#include "core/units/time.hpp"
#include "core/wire/baseline_file.hpp"
#include "core/wire/codec.hpp"
#include "db/baselines/baseline_file.hpp"
#include "db/baselines/baselines.hpp"
#include "db/baselines/sessions.hpp"
#include "db/repositories/repositories.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/thinning.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

using Key = std::pair<std::string, std::string>;  // suite, benchmark

struct Line {
  wire::BaselineLine wire;
  std::vector<double> medians;
};

// One that was carried into a later epoch has figures there, but no processes: its own epoch's goes out.
std::vector<BaselineId> present(Connection& connection, const BaselineExport& wanted) {
  Statement row = connection.query(
      "SELECT l.id FROM baselines l JOIN runs r ON r.id = l.run_id WHERE l.repository_id = ? AND l.replaced_at IS NULL "
      "AND r.epoch_id = l.epoch_id AND (? = '' OR l.name = ?) ORDER BY l.id",
      wanted.repository, wanted.name, wanted.name);
  std::vector<BaselineId> out;
  while (row.step()) out.push_back(row.id<BaselineId>(0));
  return out;
}

struct Measured {
  RunId run;
  Instant at{};
  bool promoted = false;
};

// The promoted run and its newest sessions, oldest first.
std::vector<Measured> runs_of(Connection& connection, const Baseline& baseline) {
  Statement row = connection.query(
      "SELECT r.id, r.finished_at FROM runs r JOIN commits c ON c.id = r.head_id WHERE r.repository_id = ? AND "
      "(r.id = ? OR (c.hash = ? AND r.epoch_id = ? AND r.source = ? AND r.state = 'done' AND r.conclusion = 'passed')) "
      "ORDER BY r.id = ? DESC, r.id DESC LIMIT ?",
      baseline.repository, baseline.run, baseline.commit, baseline.epoch, kSessionSource, baseline.run,
      limits::kSessionsMax + 1);
  std::vector<Measured> out;
  while (row.step())
    out.push_back({.run = row.id<RunId>(0), .at = row.instant(1), .promoted = row.id<RunId>(0) == baseline.run});
  std::sort(out.begin(), out.end(), [](const Measured& a, const Measured& b) { return a.run < b.run; });
  return out;
}

// {"during":{"sm_mhz":[least, greatest]}}, as on a GPU.
void widen_clocks(const std::string& state_json, wire::BaselineLine& line) {
  const auto state = nlohmann::json::parse(state_json, nullptr, false);
  const auto pointer = nlohmann::json::json_pointer("/during/sm_mhz");
  if (!state.is_object() || !state.contains(pointer)) return;
  const auto& range = state[pointer];
  if (!range.is_array() || range.size() != 2 || !range[0].is_number() || !range[1].is_number()) return;
  line.clock_low_mhz = std::min(line.clock_low_mhz.value_or(range[0]), range[0].get<double>());
  line.clock_high_mhz = std::max(line.clock_high_mhz.value_or(range[1]), range[1].get<double>());
}

// Head's undisturbed processes of one run, each as one more process of its benchmark's last session.
void add_run(Connection& connection, const Measured& measured, std::map<Key, Line>& lines) {
  Statement row = connection.query(
      "SELECT b.suite, b.name, p.process_id, s.sample_count, s.samples, s.median_ns, p.device_state FROM processes p "
      "JOIN series s ON s.process_id = p.id JOIN benchmarks b ON b.id = s.benchmark_id WHERE p.run_id = ? AND p.side = "
      "'head' AND p.superseded = 0 AND p.disturbed = 0 AND s.error = '' AND s.median_ns > 0 AND p.pair < ? "
      "ORDER BY p.pair, p.id",
      measured.run, limits::kPairsMax);
  std::map<Key, bool> begun;
  while (row.step()) {
    const Key key{row.text(0), row.text(1)};
    Line& line = lines[key];
    if (!begun[key]) {
      line.wire.sessions.push_back({.run = measured.run.value,
                                    .measured_at = to_iso8601(measured.at),
                                    .promoted = measured.promoted,
                                    .processes = {}});
      begun[key] = true;
    }
    auto& processes = line.wire.sessions.back().processes;
    if (processes.size() == static_cast<std::size_t>(limits::kPairsMax)) continue;
    processes.push_back(
        {.id = row.text(2), .samples = static_cast<int>(row.integer(3)), .quantiles_ns = thinned(unpack(row.blob(4)))});
    line.medians.push_back(row.real(5));
    widen_clocks(row.text(6), line.wire);
  }
}

void describe(const Baseline& baseline, const Epoch& epoch, const Key& key, Line& line) {
  wire::BaselineLine& out = line.wire;
  out.name = baseline.name;
  out.commit = baseline.commit;
  out.actor = baseline.actor;
  out.reason = baseline.reason;
  out.promoted_at = to_iso8601(baseline.promoted_at);
  out.anchor = baseline.anchor;
  out.testbed = epoch.facts;
  std::tie(out.suite, out.benchmark) = key;
  out.median_ns = stats::median(line.medians).value();
  const auto [least, largest] = std::minmax_element(line.medians.begin(), line.medians.end());
  out.spread = *largest / *least - 1;
  out.processes = static_cast<int>(line.medians.size());
}

}  // namespace

Result<std::string> export_baselines(Connection& connection, const BaselineExport& wanted) {
  const auto repository = get_repository(connection, wanted.repository);
  if (!repository) return pass_on(repository);
  const auto ids = present(connection, wanted);
  if (ids.empty())
    return fail(Errc::not_found, wanted.name.empty() ? "no baseline is promoted" : "no baseline '" + wanted.name + "'",
                "name", "promote a run first");
  wire::BaselineFileHead head;
  head.repository = repository->name;
  head.program = wanted.program;
  head.benchmarks = 0;
  const auto too_large = [] {
    return fail(Errc::too_large, "the baselines are over " + std::to_string(limits::kImportMax.value) + " bytes",
                "name", "export one baseline at a time, by its name");
  };
  std::string out;
  for (const BaselineId id : ids) {
    const auto baseline = get_baseline(connection, id);
    if (!baseline) return pass_on(baseline);
    const auto epoch = get_epoch(connection, baseline->epoch);
    if (!epoch) return pass_on(epoch);
    std::map<Key, Line> lines;
    for (const Measured& measured : runs_of(connection, *baseline)) add_run(connection, measured, lines);
    for (auto& [key, line] : lines) {
      describe(*baseline, *epoch, key, line);
      out += wire::encode(line.wire) + "\n";
      ++*head.benchmarks;
      if (out.size() > limits::kImportMax.value) return too_large();
    }
  }
  out.insert(0, wire::encode(head) + "\n");
  if (out.size() > limits::kImportMax.value) return too_large();
  return out;
}

}  // namespace kernelgate::db
