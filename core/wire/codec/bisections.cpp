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
  v.may("suite", m.suite);
  v.range("suite", length(m.suite), 0, limits::kBenchmarkNameMax);
  v.may("benchmark", m.benchmark);
  v.range("benchmark", length(m.benchmark), 0, limits::kBenchmarkNameMax);
  v.may("until", m.until);
  v.must("commits", m.commits);
  v.range("commits", count(m.commits), 2, limits::kBisectionCommitsMax);
}

template <class V, Describes<BisectionStep> M>
void fields(V& v, M& m) {
  v.must("number", m.number);
  v.must("head", m.head);
  v.must("base", m.base);
  v.must("confirming", m.confirming);
  v.must("run", m.run);
  v.must("reading", m.reading);
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
  v.must("ending", m.ending);
  v.must("text", m.text);
  v.must("good", m.good);
  v.must("bad", m.bad);
  v.must("commits", m.commits);
  v.may("culprit", m.culprit);
  v.must("suspects", m.suspects);
  v.may("ratio", m.ratio);
  v.must("comparisons", m.comparisons);
  v.must("who", m.who);
  v.must("created_at", m.created_at);
  v.may("finished_at", m.finished_at);
  v.must("steps", m.steps);
}

template <class V, Describes<BisectionPage> M>
void fields(V& v, M& m) {
  v.must("bisections", m.bisections);
  v.may("next", m.next);
}

template <class V, Describes<BackfillRequest> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.range("repository", length(m.repository), 1, limits::kNameMax);
  v.must("commits", m.commits);
  v.range("commits", count(m.commits), 2, limits::kBisectionCommitsMax);
  v.may("limit", m.limit);
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
  v.must("known", m.known);
  v.must("left", m.left);
}

KG_WIRE_CODEC(BisectionRequest);
KG_WIRE_CODEC(Bisection);
KG_WIRE_CODEC(BisectionPage);
KG_WIRE_CODEC(BackfillRequest);
KG_WIRE_CODEC(BackfillReply);

}  // namespace kernelgate::wire
