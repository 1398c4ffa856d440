// SPDX-License-Identifier: Apache-2.0
#include "core/wire/report_document.hpp"

#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<PrintedComparison> M>
void fields(V& v, M& m) {
  v.inlined(m.comparison);
  v.may("live_pair", m.live_pair);
}

template <class V, Describes<PrintedCost> M>
void fields(V& v, M& m) {
  v.must("gpu_s_held", m.gpu_s_held);
  v.must("gpu_s_used", m.gpu_s_used);
  v.must("seconds_saved", m.seconds_saved);
  v.may("price_per_hour", m.price_per_hour);
  v.may("cost_held", m.cost_held);
  v.may("cost_used", m.cost_used);
}

template <class V, Describes<PrintedLive> M>
void fields(V& v, M& m) {
  v.must("pairs", m.pairs);
  v.must("processes", m.processes);
  v.must("given_pairs", m.given_pairs);
  v.must("given_processes", m.given_processes);
  v.must("open", m.open);
}

template <class V, Describes<ReportDocument> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("conclusion", m.conclusion);
  v.must("exit_code", m.exit_code);
  v.must("title", m.title);
  v.must("reason", m.reason);
  v.must("summary", m.summary);
  v.must("notices", m.notices);
  v.figure("expected_false_alarms", m.expected_false_alarms);
  v.may("gpu_s", m.gpu_s);
  v.may("wall_s", m.wall_s);
  v.may("cost", m.cost);
  v.must("comparisons", m.comparisons);
  v.may("live", m.live);
  v.must("workloads", m.workloads);
  v.must("regions", m.regions);
}

KG_WIRE_PRINT(ReportDocument);

}  // namespace kernelgate::wire
