// SPDX-License-Identifier: Apache-2.0
// The ledger: attempts, notes about them, and the tuning report.
#include "core/wire/attempts.hpp"
#include "core/units/limits.hpp"
#include "core/wire/json_fields.hpp"
#include "core/wire/tuning.hpp"

namespace kernelgate::wire {
namespace {

// Lengths of a note; an absent text is left as it is.
template <class V, class M>
void words(V& v, M& m) {
  v.may("hypothesis", m.hypothesis);
  v.range("hypothesis", m.hypothesis ? length(*m.hypothesis) : 0, 0, limits::kHypothesisMax);
  v.may("lesson", m.lesson);
  v.range("lesson", m.lesson ? length(*m.lesson) : 0, 0, limits::kReasonMax);
}

}  // namespace

template <class V, Describes<AttemptRatio> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("ratio", m.ratio);
  v.may("low", m.low);
  v.may("high", m.high);
}

template <class V, Describes<AttemptCost> M>
void fields(V& v, M& m) {
  v.must("build_s", m.build_s);
  v.must("check_s", m.check_s);
  v.must("measure_s", m.measure_s);
  v.may("money", m.money);
}

template <class V, Describes<AlikeAttempt> M>
void fields(V& v, M& m) {
  v.must("attempt", m.attempt);
  v.must("how", m.how);
  v.must("name", m.name);
  v.must("outcome", m.outcome);
  v.may("ratio", m.ratio);
  v.may("failure", m.failure);
}

template <class V, Describes<Attempt> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("repository", m.repository);
  v.must("kind", m.kind);
  v.must("branch", m.branch);
  v.must("commit", m.commit);
  v.must("subject", m.subject);
  v.must("suite", m.suite);
  v.must("point", m.point);
  v.must("hypothesis", m.hypothesis);
  v.must("lesson", m.lesson);
  v.must("outcome", m.outcome);
  v.must("failed", m.failed);
  v.must("detail", m.detail);
  v.may("best", m.best);
  v.may("worst", m.worst);
  v.must("timed", m.timed);
  v.must("improved", m.improved);
  v.must("regressed", m.regressed);
  v.may("error_factor", m.error_factor);
  v.must("cost", m.cost);
  v.must("runs", m.runs);
  v.must("failures", m.failures);
  v.must("alike", m.alike);
  v.must("notices", m.notices);
  v.must("created_at", m.created_at);
  v.must("tried_at", m.tried_at);
}

template <class V, Describes<AttemptPage> M>
void fields(V& v, M& m) {
  v.must("attempts", m.attempts);
  v.may("next", m.next);
}

template <class V, Describes<AttemptNote> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.range("repository", length(m.repository), 1, limits::kFullNameMax);
  v.may("run", m.run);
  v.may("branch", m.branch);
  v.range("branch", length(m.branch), 0, limits::kRefMax);
  words(v, m);
}

template <class V, Describes<AttemptChange> M>
void fields(V& v, M& m) {
  words(v, m);
}

template <class V, Describes<TuningSuite> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("benchmarks", m.benchmarks);
  v.must("shapes", m.shapes);
}

template <class V, Describes<TuningTestbed> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("gpu_model", m.gpu_model);
  v.must("compute_capability", m.compute_capability);
  v.must("driver", m.driver);
  v.must("toolkit", m.toolkit);
  v.must("host_cpu", m.host_cpu);
  v.must("runs", m.runs);
}

template <class V, Describes<TuningLanded> M>
void fields(V& v, M& m) {
  v.must("run", m.run);
  v.must("commit", m.commit);
  v.must("subject", m.subject);
  v.must("outcome", m.outcome);
  v.may("best", m.best);
  v.may("worst", m.worst);
}

template <class V, Describes<TuningOutcome> M>
void fields(V& v, M& m) {
  v.must("outcome", m.outcome);
  v.must("attempts", m.attempts);
  v.must("seconds", m.seconds);
  v.may("money", m.money);
}

template <class V, Describes<TuningFailure> M>
void fields(V& v, M& m) {
  v.must("failure", m.failure);
  v.must("attempts", m.attempts);
}

template <class V, Describes<TuningSweep> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("commit", m.commit);
  v.must("best", m.best);
  v.must("best_point", m.best_point);
  v.must("constraints", m.constraints);
}

template <class V, Describes<TuningReport> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("branch", m.branch);
  v.must("since", m.since);
  v.must("from", m.from);
  v.must("to", m.to);
  v.must("objective", m.objective);
  v.must("suites", m.suites);
  v.must("testbeds", m.testbeds);
  v.must("landed", m.landed);
  v.must("attempts", m.attempts);
  v.must("is_cut", m.is_cut);
  v.must("outcomes", m.outcomes);
  v.must("sweeps", m.sweeps);
  v.must("failures", m.failures);
  v.must("findings", m.findings);
  v.must("cost", m.cost);
  v.must("not_tried", m.not_tried);
}

KG_WIRE_CODEC(Attempt);
KG_WIRE_CODEC(AttemptPage);
KG_WIRE_CODEC(AttemptNote);
KG_WIRE_CODEC(AttemptChange);
KG_WIRE_CODEC(TuningReport);

}  // namespace kernelgate::wire
