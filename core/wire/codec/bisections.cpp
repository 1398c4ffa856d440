// SPDX-License-Identifier: Apache-2.0
// Bisections and backfills.
#include "core/wire/bisections.hpp"
#include "core/units/limits.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {
namespace {

std::int64_t count(const std::vector<std::string>& list) { return static_cast<std::int64_t>(list.size()); }

}  // namespace

template <class V, Describes<BisectionRequest> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.range("repository", length(m.repository), 1, limits::kNameMax);
  v.may("suite", m.suite, "empty: the only suite that knows the benchmark");
  v.range("suite", length(m.suite), 0, limits::kBenchmarkNameMax);
  v.may("benchmark", m.benchmark, "empty: any failure, with until = broken");
  v.range("benchmark", length(m.benchmark), 0, limits::kBenchmarkNameMax);
  v.may("until", m.until, "default regressed");
  v.must("commits", m.commits, "good, …, bad");
  v.range("commits", count(m.commits), 2, limits::kBisectionCommitsMax);
}

template <class V, Describes<BisectionStep> M>
void fields(V& v, M& m) {
  v.must("number", m.number);
  v.must("head", m.head);
  v.must("base", m.base);
  v.must("confirming", m.confirming);
  v.must("run", m.run);
  v.blank("reading", m.reading, "empty: under way");
  v.may("ratio", m.ratio);
  v.must("why", m.why);
}

template <class V, Describes<Bisection> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("repository", m.repository);
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("until", m.until);
  v.must("state", m.state);
  v.blank("ending", m.ending, "empty: not ended, or cancelled");
  v.must("text", m.text, "where it stands, or how it ended, in a sentence");
  v.must("good", m.good);
  v.must("bad", m.bad);
  v.must("commits", m.commits);
  v.may("culprit", m.culprit, "the first bad commit, of culprit and unconfirmed");
  v.must("suspects", m.suspects, "of a range");
  v.may("ratio", m.ratio, "of bad over good");
  v.must("comparisons", m.comparisons, "steps that compared something");
  v.must("actor", m.actor);
  v.must("created_at", m.created_at);
  v.may("finished_at", m.finished_at);
  v.must("steps", m.steps);
}

template <class V, Describes<BisectionPage> M>
void fields(V& v, M& m) {
  v.must("bisections", m.bisections, "newest first, without steps");
  v.may("next", m.next);
}

template <class V, Describes<BackfillRequest> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.range("repository", length(m.repository), 1, limits::kNameMax);
  v.must("commits", m.commits, "the first is only a parent");
  v.range("commits", count(m.commits), 2, limits::kBisectionCommitsMax);
  v.may("limit", m.limit, "runs queued at most, the newest commits first");
  v.range("limit", m.limit, 1, limits::kBackfillMax);
}

template <class V, Describes<Backfilled> M>
void fields(V& v, M& m) {
  v.must("commit", m.commit);
  v.must("base", m.base);
  v.must("run", m.run);
}

template <class V, Describes<BackfillReply> M>
void fields(V& v, M& m) {
  v.must("runs", m.runs);
  v.must("known", m.known, "commits that were measured before");
  v.must("left", m.left, "over the limit");
}

KG_WIRE_CODEC(BisectionRequest);
KG_WIRE_CODEC(Bisection);
KG_WIRE_CODEC(BisectionPage);
KG_WIRE_CODEC(BackfillRequest);
KG_WIRE_CODEC(BackfillReply);

}  // namespace kernelgate::wire
