// SPDX-License-Identifier: Apache-2.0
// What pages draw.
#include "core/wire/shown.hpp"

#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<PairFigure> M>
void fields(V& v, M& m) {
  v.must("pair", m.pair);
  v.must("ratio", m.ratio);
  v.must("base_median_ns", m.base_median_ns);
  v.must("head_median_ns", m.head_median_ns);
  v.must("head_first", m.head_first, "in time");
}

template <class V, Describes<PairFigures> M>
void fields(V& v, M& m) {
  v.must("pairs", m.pairs);
}

template <class V, Describes<ComparedBenchmark> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("pairing", m.pairing, "paired, common_base or not_paired");
  v.may("verdict", m.verdict, "empty: no run gave one");
  v.may("ratio", m.ratio);
  v.may("ratio_low", m.ratio_low);
  v.may("ratio_high", m.ratio_high);
  v.may("base_median_ns", m.base_median_ns);
  v.may("head_median_ns", m.head_median_ns);
  v.must("tolerate", m.tolerate);
  v.must("catch_limit", m.catch_limit);
}

template <class V, Describes<ComparedRuns> M>
void fields(V& v, M& m) {
  v.must("base", m.base);
  v.must("head", m.head);
  v.must("pairing", m.pairing, "the best that a benchmark can have");
  v.must("benchmarks", m.benchmarks);
  v.may("verdicts", m.verdicts);
}

KG_WIRE_CODEC(PairFigures);
KG_WIRE_CODEC(ComparedRuns);

}  // namespace kernelgate::wire
