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
  v.must("commit", m.commit, "whose binaries were replayed");
  v.may("kept", m.kept, "the very binaries of the epoch before; else they were built anew");
  v.may("text", m.text, "what changed, and by how much, in one sentence");
  v.may("control_ratio", m.control_ratio, "time of the control kernels over that of the epoch before");
  v.must("figures", m.figures, "of the commit's benchmarks");
}

template <class V, Describes<EpochReply> M>
void fields(V& v, M& m) {
  v.may("carried", m.carried, "baselines that now stand in the new epoch too");
}

template <class V, Describes<Epoch> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("testbed", m.testbed);
  v.must("gpu_model", m.gpu_model);
  v.must("compute_capability", m.compute_capability);
  v.must("driver", m.driver);
  v.must("toolkit", m.toolkit);
  v.must("power_limit", m.power_limit);
  v.must("mig_mode", m.mig_mode);
  v.must("host_cpu", m.host_cpu);
  v.must("since", m.since);
  v.must("over", m.over, "a later one of its testbed has begun");
}

template <class V, Describes<EpochPage> M>
void fields(V& v, M& m) {
  v.must("epochs", m.epochs);
  v.may("next", m.next);
}

KG_WIRE_CODEC(EpochPage);
KG_WIRE_CODEC(EpochFigure);
KG_WIRE_CODEC(EpochUpload);
KG_WIRE_CODEC(EpochReply);

}  // namespace kernelgate::wire
