// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/stats/summary.hpp"
#include "core/stats/thinned.hpp"
#include "core/units/limits.hpp"
#include "core/units/time.hpp"
#include "core/wire/baseline_file.hpp"
#include "core/wire/codec.hpp"
#include "db/baselines/baseline_rows.hpp"
#include "db/repositories/repositories.hpp"
#include "db/repositories/testbeds.hpp"
#include "service/baselines/baseline_file.hpp"

namespace kernelgate::service {
namespace {

using Key = std::pair<std::string, std::string>;  // suite, benchmark

struct Line {
  wire::BaselineLine wire;
  std::vector<double> medians;
};

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

// The run's figures, each as one more process of its benchmark's last session.
void add_run(db::Connection& connection, const db::BaselineRun& measured, bool promoted, std::map<Key, Line>& lines) {
  std::set<Key> begun;
  for (const db::HeadSeries& one : db::head_series(connection, measured.run)) {
    const Key key{one.suite, one.benchmark};
    Line& line = lines[key];
    if (begun.insert(key).second)
      line.wire.sessions.push_back(
          {.run = measured.run.value, .measured_at = to_iso8601(measured.at), .promoted = promoted, .processes = {}});
    auto& processes = line.wire.sessions.back().processes;
    if (processes.size() == static_cast<std::size_t>(limits::kPairsMax)) continue;
    processes.push_back({.id = one.process, .samples = one.samples, .quantiles_ns = stats::thinned(one.samples_ns)});
    line.medians.push_back(one.median_ns);
    widen_clocks(one.state_json, line.wire);
  }
}

void describe(const db::Baseline& baseline, const db::Epoch& epoch, const Key& key, Line& line) {
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

Result<std::string> export_baselines(db::Connection& connection, const BaselineExport& wanted) {
  const auto repository = db::get_repository(connection, wanted.repository);
  if (!repository) return pass_on(repository);
  const auto ids = db::measured_baselines(connection, wanted.repository, wanted.name);
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
    const auto baseline = db::get_baseline(connection, id);
    if (!baseline) return pass_on(baseline);
    const auto epoch = db::get_epoch(connection, baseline->epoch);
    if (!epoch) return pass_on(epoch);
    std::map<Key, Line> lines;
    for (const db::BaselineRun& measured : db::baseline_runs(connection, *baseline))
      add_run(connection, measured, measured.run == baseline->run, lines);
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

}  // namespace kernelgate::service
