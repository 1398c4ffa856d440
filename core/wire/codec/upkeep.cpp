// SPDX-License-Identifier: Apache-2.0
// Upkeep: quarantines, differences, thinning, import.
#include "core/wire/upkeep.hpp"
#include "core/units/limits.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {
namespace {

std::int64_t length(const std::string& text) { return static_cast<std::int64_t>(text.size()); }

}  // namespace

template <class V, Describes<QuarantineRequest> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("reason", m.reason);
  v.range("reason", length(m.reason), 1, limits::kReasonMax);
}

template <class V, Describes<ReleaseRequest> M>
void fields(V& v, M& m) {
  v.must("repository", m.repository);
  v.must("reason", m.reason);
  v.range("reason", length(m.reason), 1, limits::kReasonMax);
}

template <class V, Describes<QuarantineRecord> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.may("epoch", m.epoch, "where it holds; absent: in every one");
  v.must("actor", m.actor);
  v.must("reason", m.reason);
  v.must("began_at", m.began_at);
  v.may("released_at", m.released_at);
  v.may("released_by", m.released_by);
  v.may("released_reason", m.released_reason);
  v.may("suggestion", m.suggestion, "not empty: why it may be released");
}

template <class V, Describes<QuarantinePage> M>
void fields(V& v, M& m) {
  v.must("quarantines", m.quarantines);
  v.may("next", m.next);
}

template <class V, Describes<DiffSide> M>
void fields(V& v, M& m) {
  v.must("asked", m.asked, "a baseline's name, or a commit or the start of one");
  v.must("commit", m.commit, "that it means");
  v.may("baseline", m.baseline, "its name; empty: asked by commit");
}

template <class V, Describes<DiffRow> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("basis", m.basis);
  v.may("epoch", m.epoch, "of both; 0: none in common");
  v.may("run", m.run);
  v.may("a_sessions", m.a_sessions);
  v.may("b_sessions", m.b_sessions);
  v.may("a_processes", m.a_processes);
  v.may("b_processes", m.b_processes);
  v.may("a_median_ns", m.a_median_ns);
  v.may("b_median_ns", m.b_median_ns);
  v.may("ratio", m.ratio);
  v.may("ratio_low", m.ratio_low);
  v.may("ratio_high", m.ratio_high);
  v.may("note", m.note);
}

template <class V, Describes<BaselineDiff> M>
void fields(V& v, M& m) {
  v.must("a", m.a);
  v.must("b", m.b);
  v.must("rows", m.rows);
  v.may("notices", m.notices);
}

template <class V, Describes<PruneRequest> M>
void fields(V& v, M& m) {
  v.must("older_than_days", m.older_than_days);
  v.range("older_than_days", m.older_than_days, 1, limits::kDaysMax);
  v.may("dry_run", m.dry_run);
}

template <class V, Describes<PruneReply> M>
void fields(V& v, M& m) {
  v.must("dry_run", m.dry_run);
  v.must("runs", m.runs);
  v.must("series", m.series);
  v.must("bytes", m.bytes, "of samples that this gives back");
  v.must("kept_runs", m.kept_runs, "old enough, but baselines or sessions of baselines");
  v.must("free_bytes", m.free_bytes, "of the file, that the next measurements use before it grows");
}

template <class V, Describes<ImportReply> M>
void fields(V& v, M& m) {
  v.must("baselines", m.baselines);
  v.must("runs", m.runs);
  v.must("known", m.known, "baselines that were here before");
}

KG_WIRE_CODEC(QuarantineRequest);
KG_WIRE_CODEC(ReleaseRequest);
KG_WIRE_CODEC(QuarantineRecord);
KG_WIRE_CODEC(QuarantinePage);
KG_WIRE_CODEC(BaselineDiff);
KG_WIRE_CODEC(PruneRequest);
KG_WIRE_CODEC(PruneReply);
KG_WIRE_CODEC(ImportReply);

}  // namespace kernelgate::wire
