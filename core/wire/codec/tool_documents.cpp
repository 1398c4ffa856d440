// SPDX-License-Identifier: Apache-2.0
#include "core/wire/tool_documents.hpp"

#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<Finding> M>
void fields(V& v, M& m) {
  v.must("topic", m.topic);
  v.must("grade", m.grade);
  v.must("text", m.text);
  v.must("fix", m.fix);
}

template <class V, Describes<PrintedManifest> M>
void fields(V& v, M& m) {
  v.must("file", m.file);
  v.must("valid", m.valid);
  v.must("errors", m.errors);
  v.must("suites", m.suites);
}

template <class V, Describes<DoctorDocument> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("exit_code", m.exit_code);
  v.must("machine", m.machine);
  v.may("manifest", m.manifest);
}

template <class V, Describes<PrintedAttempt> M>
void fields(V& v, M& m) {
  v.must("number", m.number);
  v.must("commit", m.commit);
  v.must("branch", m.branch);
  v.must("title", m.title);
  v.must("hypothesis", m.hypothesis);
  v.must("expected", m.expected);
  v.must("outcome", m.outcome);
  v.must("as_expected", m.as_expected);
  v.must("conclusion", m.conclusion);
  v.must("exit_code", m.exit_code);
  v.must("run", m.run);
  v.may("base", m.base);
  v.may("benchmark", m.benchmark);
  v.may("ratio", m.ratio);
  v.may("ratio_low", m.ratio_low);
  v.may("ratio_high", m.ratio_high);
  v.must("pairs", m.pairs);
  v.may("error", m.error);
  v.may("evidence", m.evidence);
  v.may("fingerprint", m.fingerprint);
  v.may("same_failure_as", m.same_failure_as);
  v.must("cost_s", m.cost_s);
  v.must("measuring_s", m.measuring_s);
}

template <class V, Describes<DemoDocument> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("as_expected", m.as_expected);
  v.must("attempts", m.attempts);
}

template <class V, Describes<PrintedScenarioRates> M>
void fields(V& v, M& m) {
  v.must("true", m.true_shift);
  v.must("trials", m.trials);
  v.must("regressed", m.regressed);
  v.must("improved", m.improved);
  v.must("open", m.open);
  v.must("processes", m.processes);
}

template <class V, Describes<PrintedScenario> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("what", m.what);
  v.must("stored", m.stored);
  v.must("alone", m.alone);
}

template <class V, Describes<ScenarioDocument> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("seed", m.seed);
  v.must("scenarios", m.scenarios);
}

template <class V, Describes<PrintedScore> M>
void fields(V& v, M& m) {
  v.must("rule", m.rule);
  v.must("same", m.same);
  v.must("false_alarms", m.false_alarms);
  v.must("between", m.between);
  v.must("between_alarms", m.between_alarms);
  v.must("moved", m.moved);
  v.must("caught", m.caught);
  v.must("undecided", m.undecided);
  v.must("processes", m.processes);
}

template <class V, Describes<PrintedCase> M>
void fields(V& v, M& m) {
  v.must("rule", m.rule);
  v.must("kernel", m.kernel);
  v.must("variant", m.variant);
  v.must("ratio", m.ratio);
  v.must("trials", m.trials);
  v.must("regressed", m.regressed);
  v.must("improved", m.improved);
  v.must("undecided", m.undecided);
  v.must("processes", m.processes);
}

template <class V, Describes<RecordedDocument> M>
void fields(V& v, M& m) {
  v.must("schema", m.schema);
  v.must("scores", m.scores);
  v.must("cases", m.cases);
}

KG_WIRE_PRINT(DoctorDocument);
KG_WIRE_PRINT(DemoDocument);
KG_WIRE_PRINT(ScenarioDocument);
KG_WIRE_PRINT(RecordedDocument);

}  // namespace kernelgate::wire
