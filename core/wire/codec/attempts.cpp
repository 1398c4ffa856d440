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
  v.about("A benchmark of an attempt over its base");
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("ratio", m.ratio);
  v.may("low", m.low);
  v.may("high", m.high);
}

template <class V, Describes<AttemptCost> M>
void fields(V& v, M& m) {
  v.must("build_s", m.build_s, "when the device was not held");
  v.must("check_s", m.check_s, "when it was held and no process was timed");
  v.must("measure_s", m.measure_s);
  v.may("money", m.money, "of the seconds that the device was held, where a price is known");
}

template <class V, Describes<AlikeAttempt> M>
void fields(V& v, M& m) {
  v.must("attempt", m.attempt);
  v.must("how", m.how, "the same failure, the same change or the same machine code");
  v.must("name", m.name, "branch, point or short commit");
  v.must("outcome", m.outcome);
  v.may("ratio", m.ratio, "the one that moved it furthest");
  v.may("failure", m.failure, "case, class and value, where `how` is failure");
}

template <class V, Describes<Attempt> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("repository", m.repository);
  v.must("kind", m.kind);
  v.must("branch", m.branch);
  v.must("commit", m.commit);
  v.must("subject", m.subject);
  v.must("suite", m.suite, "of a point");
  v.must("point", m.point);
  v.must("hypothesis", m.hypothesis);
  v.must("lesson", m.lesson);
  v.must("outcome", m.outcome, "docs/GLOSSARY.md lists them");
  v.must("failed", m.failed, "it does not work");
  v.must("detail", m.detail, "the first failure, or the run's summary");
  v.may("best", m.best);
  v.may("worst", m.worst);
  v.may("shown", m.shown, "that stands for all: of a lost attempt the slowest benchmark, else the fastest");
  v.must("timed", m.timed);
  v.must("improved", m.improved);
  v.must("regressed", m.regressed);
  v.may("error_factor", m.error_factor, "largest growth of a numerical error");
  v.must("cost", m.cost);
  v.must("runs", m.runs, "newest first");
  v.must("failures", m.failures, "case, class and value of each distinct one");
  v.must("alike", m.alike);
  v.must("notices", m.notices, "what `alike` says, in sentences");
  v.must("created_at", m.created_at);
  v.blank("tried_at", m.tried_at, "empty while it has no finished run");
}

template <class V, Describes<TuningSweep> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("commit", m.commit);
  v.must("best", m.best, "attempt; 0 where none works");
  v.must("best_point", m.best_point);
  v.must("attempts", m.attempts, "its points");
  v.must("constraints", m.constraints);
}

template <class V, Describes<AttemptPage> M>
void fields(V& v, M& m) {
  v.must("attempts", m.attempts, "newest first");
  v.may("next", m.next);
  v.may("sweeps", m.sweeps, "of these attempts");
}

template <class V, Describes<AttemptNote> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.range("repository", length(m.repository), 1, limits::kFullNameMax);
  v.may("run", m.run, "absent means something still to be tried");
  v.may("branch", m.branch, "of what is still to be tried; its first run takes the note over");
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
  v.must("benchmarks", m.benchmarks, "that any of the runs compared");
  v.must("shapes", m.shapes, "of its checks");
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
  v.about("A run of the default branch in the same span");
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
  v.must("seconds", m.seconds, "build, check and measure");
  v.may("money", m.money);
}

template <class V, Describes<TuningFailure> M>
void fields(V& v, M& m) {
  v.must("failure", m.failure, "case, class and value");
  v.must("attempts", m.attempts, "at least two");
}

template <class V, Describes<TuningReport> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("branch", m.branch);
  v.must("since", m.since, "as asked for; empty: from the beginning");
  v.blank("from", m.from, "the first attempt");
  v.blank("to", m.to, "the last one");
  v.must("objective", m.objective);
  v.must("suites", m.suites);
  v.must("testbeds", m.testbeds);
  v.must("landed", m.landed, "oldest first");
  v.must("attempts", m.attempts, "oldest first");
  v.must("is_cut", m.is_cut, "there are more than a report holds");
  v.must("outcomes", m.outcomes);
  v.must("sweeps", m.sweeps);
  v.must("failures", m.failures);
  v.must("findings", m.findings, "in sentences, the most useful first");
  v.must("cost", m.cost);
  v.must("not_tried", m.not_tried, "in sentences");
}

KG_WIRE_CODEC(Attempt);
KG_WIRE_CODEC(AttemptPage);
KG_WIRE_CODEC(AttemptNote);
KG_WIRE_CODEC(AttemptChange);
KG_WIRE_CODEC(TuningReport);

}  // namespace kernelgate::wire
