// SPDX-License-Identifier: Apache-2.0
// Upkeep: quarantines.
#include "core/units/limits.hpp"
#include "core/wire/json_fields.hpp"
#include "core/wire/upkeep.hpp"

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
  v.may("epoch", m.epoch);
  v.must("who", m.who);
  v.must("reason", m.reason);
  v.must("began_at", m.began_at);
  v.may("released_at", m.released_at);
  v.may("released_by", m.released_by);
  v.may("released_reason", m.released_reason);
  v.may("suggestion", m.suggestion);
}

template <class V, Describes<QuarantinePage> M>
void fields(V& v, M& m) {
  v.must("quarantines", m.quarantines);
  v.may("next", m.next);
}

KG_WIRE_CODEC(QuarantineRequest);
KG_WIRE_CODEC(ReleaseRequest);
KG_WIRE_CODEC(QuarantineRecord);
KG_WIRE_CODEC(QuarantinePage);

}  // namespace kernelgate::wire
