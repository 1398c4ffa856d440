// SPDX-License-Identifier: Apache-2.0
#include "core/wire/epochs.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<EpochFigure> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("median_ns", m.median_ns);
  v.may("processes", m.processes);
}

template <class V, Describes<EpochUpload> M>
void fields(V& v, M& m) {
  v.must("lease", m.lease);
  v.must("commit", m.commit);
  v.may("kept", m.kept);
  v.may("text", m.text);
  v.may("control_ratio", m.control_ratio);
  v.must("figures", m.figures);
}

template <class V, Describes<EpochReply> M>
void fields(V& v, M& m) {
  v.may("carried", m.carried);
}

KG_WIRE_CODEC(EpochFigure);
KG_WIRE_CODEC(EpochUpload);
KG_WIRE_CODEC(EpochReply);

}  // namespace kernelgate::wire
