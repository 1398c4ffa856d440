// SPDX-License-Identifier: Apache-2.0
#include "db/runs/bundles.hpp"

#include <algorithm>

#include "core/decision/decide.hpp"
#include "core/units/time.hpp"
#include "core/wire/codec.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/claims.hpp"
#include "db/runs/processes.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::db {
namespace {

// A run that is judged, or the one whose verdict it reuses.
Result<Run> judged_run(Connection& connection, RunId id) {
  auto run = get_run(connection, id);
  if (run && run->reused_from) run = get_run(connection, *run->reused_from);
  if (!run) return run;
  const std::string name = "run " + std::to_string(run->id.value);
  if (!is_finished(run->state)) return fail(Errc::conflict, name + " is not finished", "run", "export it when it is");
  if (!run->conclusion) return fail(Errc::conflict, name + " was cancelled: there is no verdict to replay", "run");
  return run;
}

struct Kept {
  JudgedBy by;
  int rule_version = 0;
};

Result<Kept> kept_of(Connection& connection, const Run& run) {
  Statement row =
      connection.query("SELECT manifest, program, rule_version FROM run_documents WHERE run_id = ?", run.id);
  if (!row.step() || row.text(1).empty())
    return fail(Errc::unsupported, "run " + std::to_string(run.id.value) + " was finished before bundles were kept",
                "run", "measure the commit again");
  return Kept{.by = {.manifest = row.text(0), .program = row.text(1)},
              .rule_version = static_cast<int>(row.integer(2))};
}

std::map<std::string, std::string> testbed_of(Connection& connection, const Run& run) {
  if (!run.epoch) return {};
  const auto epoch = get_epoch(connection, *run.epoch);
  if (!epoch) return {};
  const wire::TestbedFacts& facts = epoch->facts;
  return {
      {"name", facts.name},         {"gpu_model", facts.gpu_model}, {"compute_capability", facts.compute_capability},
      {"driver", facts.driver},     {"toolkit", facts.toolkit},     {"power_limit", facts.power_limit},
      {"mig_mode", facts.mig_mode}, {"host_cpu", facts.host_cpu}};
}

wire::BundleRun facts_of(Connection& connection, const Run& run) {
  wire::BundleRun out;
  out.id = run.id.value;
  out.repository = run.repository;
  out.branch = run.branch;
  out.commit = run.commit;
  out.base_commit = run.base_commit;
  out.head_tree = run.head_tree;
  out.base_tree = run.base_tree;
  out.subject = run.subject;
  out.author = run.author;
  out.created_at = to_iso8601(run.created_at);
  if (run.finished_at) out.finished_at = to_iso8601(*run.finished_at);
  if (run.thinned_at) out.thinned_at = to_iso8601(*run.thinned_at);
  out.manifest_sha256 = run.manifest_sha256;
  out.policy = run.policy;
  out.sandbox = run.sandbox;
  out.seed = run.seed;
  out.epoch = run.epoch ? run.epoch->value : 0;
  out.testbed = testbed_of(connection, run);
  return out;
}

// As the decision took them: processes of suites that the evidence does not name were left out there too.
void add_processes(RunEvidence& evidence, std::vector<Process> processes) {
  for (Process& process : processes) {
    const auto suite = std::find_if(evidence.suites.begin(), evidence.suites.end(),
                                    [&](const SuiteEvidence& one) { return one.name == process.suite; });
    if (suite != evidence.suites.end()) suite->processes.push_back(std::move(process));
  }
}

}  // namespace

void put_judged_by(Connection& connection, RunId run, const JudgedBy& by) {
  connection.run("UPDATE run_documents SET manifest = ?, program = ?, rule_version = ? WHERE run_id = ?", by.manifest,
                 by.program, kRuleVersion, run);
}

Result<wire::Bundle> make_bundle(Connection& connection, RunId id) {
  const auto run = judged_run(connection, id);
  if (!run) return pass_on(run);
  auto documents = get_documents(connection, run->id);
  if (!documents) return pass_on(documents);
  auto kept = kept_of(connection, *run);
  if (!kept) return pass_on(kept);
  auto evidence = wire::decode<RunEvidence>(documents->evidence);
  if (!evidence)
    return fail(Errc::corrupt, "the stored evidence cannot be read: " + to_string(evidence.error()), "run");
  add_processes(*evidence, evidence_processes(connection, run->id));
  wire::Bundle out;
  out.rule_version = kept->rule_version;
  out.program = std::move(kept->by.program);
  out.run = facts_of(connection, *run);
  out.manifest = std::move(kept->by.manifest);
  out.stored = claim_variances(connection, run->id, run->generation);
  out.evidence = std::move(*evidence);
  out.decision = std::move(documents->decision);
  return out;
}

}  // namespace kernelgate::db
