// SPDX-License-Identifier: Apache-2.0
// Baselines as a file: its head and its lines.
#include <algorithm>

#include "core/units/limits.hpp"
#include "core/wire/baseline_file.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

namespace {

constexpr std::int64_t kQuantiles = 6;

}  // namespace

template <class V, Describes<BaselineFileHead> M>
void fields(V& v, M& m) {
  v.must("format", m.format);
  v.must("version", m.version);
  v.must("repository", m.repository);
  v.may("program", m.program, "that wrote it");
  v.may("benchmarks", m.benchmarks, "lines that follow; absent: not known");
}

template <class V, Describes<BaselineProcess> M>
void fields(V& v, M& m) {
  v.must("id", m.id, "random, chosen by the runner that timed it: the same process is never imported twice");
  v.range("id", length(m.id), 1, limits::kProcessIdMax);
  v.must("samples", m.samples);
  v.range("samples", m.samples, 1, limits::kSamplesPerSeriesMax);
  v.must("quantiles_ns", m.quantiles_ns);
  v.within("quantiles_ns", static_cast<std::int64_t>(m.quantiles_ns.size()), 1,
           std::min<std::int64_t>(kQuantiles, m.samples));
}

template <class V, Describes<BaselineSession> M>
void fields(V& v, M& m) {
  v.must("run", m.run, "its number in the store that wrote it: distinguishes sessions");
  v.must("measured_at", m.measured_at);
  v.must("promoted", m.promoted, "the run that was promoted; else a session of it");
  v.must("processes", m.processes);
  v.range("processes", static_cast<std::int64_t>(m.processes.size()), 1, limits::kPairsMax);
}

template <class V, Describes<BaselineLine> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.range("name", length(m.name), 1, limits::kNameMax);
  v.must("commit", m.commit);
  v.must("who", m.actor);
  v.must("reason", m.reason);
  v.range("reason", length(m.reason), 1, limits::kReasonMax);
  v.must("promoted_at", m.promoted_at);
  v.must("anchor", m.anchor);
  v.must("testbed", m.testbed);
  v.may("clock_low_mhz", m.clock_low_mhz);
  v.may("clock_high_mhz", m.clock_high_mhz);
  v.must("suite", m.suite);
  v.range("suite", length(m.suite), 1, limits::kManifestNameMax);
  v.must("benchmark", m.benchmark);
  v.range("benchmark", length(m.benchmark), 1, static_cast<std::int64_t>(limits::kBenchmarkNameMax));
  v.must("median_ns", m.median_ns, "of the process medians, as all below");
  v.must("spread", m.spread, "largest over smallest, less 1");
  v.must("processes", m.processes);
  v.must("sessions", m.sessions);
  v.range("sessions", static_cast<std::int64_t>(m.sessions.size()), 1, limits::kSessionsMax + 1);
}

KG_WIRE_CODEC(BaselineFileHead);
KG_WIRE_CODEC(BaselineLine);

}  // namespace kernelgate::wire
