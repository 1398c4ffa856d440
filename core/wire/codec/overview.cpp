// SPDX-License-Identifier: Apache-2.0
// The server's health and its overview.
#include "core/wire/overview.hpp"

#include <algorithm>
#include <array>

#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {
namespace {

constexpr std::array<std::string_view, 4> kThrottling{"hw_slowdown", "hw_thermal", "sw_thermal", "power_brake"};

std::optional<double> number_at(const Json& json, const char* pointer) {
  const Json::json_pointer at(pointer);
  return json.contains(at) && json.at(at).is_number() ? std::optional(json.at(at).get<double>()) : std::nullopt;
}

template <class T>
std::vector<T> list_at(const Json& json, const char* pointer) {
  const Json::json_pointer at(pointer);
  std::vector<T> out;
  if (!json.contains(at) || !json.at(at).is_array()) return out;
  for (const Json& one : json.at(at))
    if (std::is_same_v<T, int> ? one.is_number_integer() : one.is_string()) out.push_back(one.get<T>());
  return out;
}

}  // namespace

std::optional<GpuSeen> gpu_seen(std::string_view state_json) {
  const Json state = Json::parse(state_json, nullptr, false);
  if (!state.is_object() || !state.contains("during")) return std::nullopt;
  GpuSeen out{.sm_mhz = number_at(state, "/during/sm_mhz_loaded"),
              .temperature_c = number_at(state, "/during/temperature_c/1"),
              .xid = list_at<int>(state, "/xid"),
              .throttled = {}};
  for (std::string& reason : list_at<std::string>(state, "/during/reasons"))
    if (std::find(kThrottling.begin(), kThrottling.end(), reason) != kThrottling.end())
      out.throttled.push_back(std::move(reason));
  return out;
}

template <class V, Describes<Health> M>
void fields(V& v, M& m) {
  v.must("status", m.status);
  v.must("rule_version", m.rule_version);
  v.must("outbox_pending", m.outbox_pending, "Messages to forges and others that wait");
  v.must("outbox_gave_up", m.outbox_gave_up, "Messages that were given up; an admin looks at GET /api/v1/outbox");
  v.must("outbox_oldest_s", m.outbox_oldest_s, "How long the oldest pending message has waited");
}

template <class V, Describes<RecentRun> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("testbed", m.testbed);
  v.must("run", m.run);
  v.must("commit", m.commit);
  v.must("subject", m.subject);
  v.must("conclusion", m.conclusion);
  v.must("finished_at", m.finished_at);
}

template <class V, Describes<BranchState> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("testbed", m.testbed);
  v.must("conclusion", m.conclusion,
         "broken or regressed while a kernel is broken or a regression open, else of the newest run");
  v.must("regressions", m.regressions, "that are open");
  v.must("broken", m.broken, "kernels that are broken");
}

template <class V, Describes<OpenRegression> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("testbed", m.testbed);
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("run", m.run);
  v.must("commit", m.commit);
  v.must("subject", m.subject);
  v.must("author", m.author);
  v.must("base_commit", m.base_commit);
  v.must("found_at", m.found_at);
  v.must("ratio", m.ratio);
  v.may("ratio_low", m.ratio_low);
  v.may("ratio_high", m.ratio_high);
  v.must("tolerate", m.tolerate, "the band it was judged by");
  v.must("catch_limit", m.catch_limit);
}

template <class V, Describes<BrokenKernel> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("testbed", m.testbed);
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("verdict", m.verdict);
  v.must("reason", m.reason);
  v.must("fingerprint", m.fingerprint);
  v.must("run", m.run);
  v.must("commit", m.commit);
  v.must("subject", m.subject);
  v.must("found_at", m.found_at);
}

template <class V, Describes<RunningRun> M>
void fields(V& v, M& m) {
  v.must("run", m.run);
  v.must("runner", m.runner);
  v.must("pairs", m.pairs, "both sides of which are stored");
  v.may("expected_s", m.expected_s, "median of the last finished ones of the repository");
}

template <class V, Describes<GpuSeen> M>
void fields(V& v, M& m) {
  v.may("sm_mhz", m.sm_mhz, "under load");
  v.may("temperature_c", m.temperature_c, "the highest");
  v.must("xid", m.xid, "errors that the GPU reported");
  v.must("throttled", m.throttled, "why it slowed itself down; empty: it did not");
}

template <class V, Describes<RunnerSeen> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("testbed", m.testbed);
  v.must("gpu_model", m.gpu_model);
  v.must("state", m.state);
  v.must("progress", m.progress);
  v.must("run", m.run, "the last it took");
  v.must("started_at", m.started_at);
  v.may("gpu", m.gpu, "during the last process; null: a CPU testbed, or nothing was timed");
}

template <class V, Describes<Spent> M>
void fields(V& v, M& m) {
  v.must("runs", m.runs);
  v.must("gpu_s_held", m.gpu_s_held);
  v.must("gpu_s_used", m.gpu_s_used);
  v.may("cost", m.cost, "of the runs with a known price");
}

template <class V, Describes<Overview> M>
void fields(V& v, M& m) {
  v.must("states", m.states);
  v.must("recent", m.recent);
  v.must("regressions", m.regressions);
  v.must("broken", m.broken);
  v.must("running", m.running);
  v.must("runners", m.runners);
  v.must("spent", m.spent);
}

template <class V, Describes<FailureSeen> M>
void fields(V& v, M& m) {
  v.must("run", m.run);
  v.must("commit", m.commit);
  v.must("branch", m.branch);
  v.must("subject", m.subject);
  v.must("benchmark", m.benchmark);
  v.must("verdict", m.verdict);
  v.must("finished_at", m.finished_at);
}

template <class V, Describes<Failures> M>
void fields(V& v, M& m) {
  v.must("failures", m.failures, "newest first");
}

KG_WIRE_CODEC(Health);
KG_WIRE_CODEC(Overview);
KG_WIRE_CODEC(Failures);

}  // namespace kernelgate::wire
