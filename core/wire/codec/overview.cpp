// SPDX-License-Identifier: Apache-2.0
// The server's health and its overview.
#include "core/wire/overview.hpp"

#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

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

template <class V, Describes<RunnerSeen> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("testbed", m.testbed);
  v.must("gpu_model", m.gpu_model);
  v.must("state", m.state);
  v.must("progress", m.progress);
  v.must("run", m.run, "the last it took");
  v.must("started_at", m.started_at);
  v.must("card_state", m.card_state, "JSON, of its last process; empty: none");
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
