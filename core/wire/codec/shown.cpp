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

template <class V, Describes<SampleHistogram> M>
void fields(V& v, M& m) {
  v.about("Samples of both sides in equal bins from low_ns to high_ns");
  v.must("low_ns", m.low_ns);
  v.must("high_ns", m.high_ns);
  v.must("has_above", m.has_above, "samples above high_ns are in the last bin");
  v.must("is_log", m.is_log, "the bins are equal on a logarithmic axis");
  v.must("base", m.base);
  v.must("head", m.head);
  v.may("base_median_at", m.base_median_at, "where the median lies: 0 at low_ns, 1 at high_ns");
  v.may("head_median_at", m.head_median_at);
}

template <class V, Describes<PairFigures> M>
void fields(V& v, M& m) {
  v.must("pairs", m.pairs);
  v.may("histogram", m.histogram, "null: too few samples");
}

template <class V, Describes<ComparedBenchmark> M>
void fields(V& v, M& m) {
  v.must("suite", m.suite);
  v.must("benchmark", m.benchmark);
  v.must("pairing", m.pairing);
  v.blank("verdict", m.verdict, "empty: no run gave one");
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
