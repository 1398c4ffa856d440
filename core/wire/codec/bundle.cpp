// SPDX-License-Identifier: Apache-2.0
// Bundles: a finished run with all that it was judged by.
#include "core/wire/bundle.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<BundleHead> M>
void fields(V& v, M& m) {
  v.must("format", m.format);
  v.must("version", m.version);
  v.must("rule_version", m.rule_version);
}

template <class V, Describes<BundleRun> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("repository", m.repository);
  v.may("branch", m.branch);
  v.must("commit", m.commit);
  v.must("base_commit", m.base_commit);
  v.may("head_tree", m.head_tree);
  v.may("base_tree", m.base_tree);
  v.may("subject", m.subject);
  v.may("author", m.author);
  v.may("created_at", m.created_at);
  v.may("finished_at", m.finished_at);
  v.may("thinned_at", m.thinned_at, "when the samples became quantiles; empty: every sample is there");
  v.must("manifest_sha256", m.manifest_sha256);
  v.may("policy", m.policy, "canonical text");
  v.may("sandbox", m.sandbox, "none: measured without one; empty: in one");
  v.must("seed", m.seed);
  v.may("epoch", m.epoch);
  v.may("testbed", m.testbed, "the facts of the epoch");
}

template <class V, Describes<Bundle> M>
void fields(V& v, M& m) {
  v.must("format", m.format);
  v.must("version", m.version);
  v.must("rule_version", m.rule_version);
  v.must("program", m.program, "that decided: \"kernelgate 0.1.0 (1a2b3c4d5e)\"");
  v.must("run", m.run);
  v.must("manifest", m.manifest, "text of the effective manifest; empty: the run never got as far as one");
  v.must("stored", m.stored, "that the runner and the decision were given");
  v.must("evidence", m.evidence, "with the processes of the generation that finished, samples included");
  v.must("decision", m.decision, "the stored document, word for word");
}

KG_WIRE_CODEC(BundleHead);
KG_WIRE_CODEC(BundleRun);
KG_WIRE_CODEC(Bundle);

}  // namespace kernelgate::wire
