// SPDX-License-Identifier: Apache-2.0
// POST finish: the end of a run. The verdict that counts is computed here, from the stored samples
// and the variances and sessions that the claim carried; what the runner thought of them plays no part.
#include <algorithm>
#include <iterator>

#include "core/decision/decide.hpp"
#include "core/decision/rule/stored.hpp"
#include "core/manifest/manifest.hpp"
#include "core/units/digest.hpp"
#include "core/wire/codec.hpp"
#include "db/baselines/acknowledgements.hpp"
#include "db/baselines/quarantines.hpp"
#include "db/runs/bundles.hpp"
#include "db/runs/claims.hpp"
#include "db/runs/processes.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/history/trend_notices.hpp"
#include "server/api/json_text.hpp"
#include "server/api/runs/lease.hpp"
#include "server/api/runs/log_run.hpp"

namespace kernelgate::api {
namespace {

struct Gathered {
  std::optional<std::string> decided;  // this lease finished the run before: the same answer again
  db::Run run;
  std::vector<Process> processes;
  std::vector<StoredVariance> stored;
  std::vector<StoredSessions> sessions;
  std::vector<Acknowledgement> acknowledged;
  std::vector<Quarantine> quarantined;
};

Result<Gathered> gather(db::Connection& connection, RunId id, const std::string& hash, Instant now) {
  Gathered out;
  if (db::lease_state(connection, id, hash) == db::LeaseState::finished) {
    if (const auto documents = db::get_documents(connection, id)) {
      out.decided = documents->decision;
      return out;
    }
  }
  if (const Status held = check_lease(connection, id, hash); !held) return pass_on(held);
  auto run = db::get_run(connection, id);
  if (!run) return pass_on(run);
  out.run = std::move(*run);
  out.processes = db::evidence_processes(connection, id);
  out.stored = db::claim_variances(connection, id, out.run.generation);
  out.sessions = db::claim_sessions(connection, id, out.run.generation);
  out.quarantined = db::quarantines_in_force(connection, out.run.repository_id, out.run.epoch);
  if (out.run.epoch)
    out.acknowledged = db::acknowledgements_in_force(connection, out.run.repository_id, *out.run.epoch, now);
  return out;
}

// Base's effective manifest. A run that never got as far as a manifest is judged by the defaults.
Result<Policy> policy_of(const wire::Finish& finish, const db::Run& run) {
  if (finish.policy_toml_manifest.empty()) {
    if (run.manifest_sha256.empty() || !finish.evidence.infrastructure.empty()) return Policy{};
    return fail(Errc::invalid, "the manifest that the run is judged by is missing", "/policy_toml_manifest",
                "send base's manifest text");
  }
  const auto manifest = parse_manifest(finish.policy_toml_manifest, std::string(kManifestName));
  if (!manifest) return pass_on(manifest);
  if (!run.manifest_sha256.empty() && run.manifest_sha256 != sha256_hex(finish.policy_toml_manifest))
    return fail(Errc::invalid, "not the manifest that the run was resolved with", "/policy_toml_manifest",
                "send the text whose SHA-256 `resolved` named");
  return manifest->policy;
}

// The stored processes are the evidence; those in the message, if any, are not.
Status add_processes(RunEvidence& evidence, std::vector<Process> processes) {
  for (SuiteEvidence& suite : evidence.suites) suite.processes.clear();
  for (Process& process : processes) {
    const auto suite = std::find_if(evidence.suites.begin(), evidence.suites.end(),
                                    [&](const SuiteEvidence& one) { return one.name == process.suite; });
    if (suite == evidence.suites.end()) {
      if (!evidence.infrastructure.empty()) continue;
      return fail(Errc::invalid, "processes of suite '" + process.suite + "' are stored", "/evidence/suites",
                  "name every suite that was started");
    }
    suite->processes.push_back(std::move(process));
  }
  return {};
}

db::FinishedRun finished_run(const wire::Finish& finish, const RunEvidence& evidence, RunDecision decision) {
  RunEvidence without = evidence;
  for (SuiteEvidence& suite : without.suites) suite.processes.clear();
  db::FinishedRun out{.state = RunState::done,
                      .decision = std::move(decision),
                      .documents = {},
                      .checks = {},
                      .gpu_s_held = finish.gpu_s_held,
                      .gpu_s_used = finish.gpu_s_used,
                      .wall_s = finish.wall_s};
  out.documents = {.evidence = wire::encode(without), .decision = wire::encode(out.decision)};
  for (const SuiteEvidence& suite : evidence.suites)
    out.checks.insert(out.checks.end(), suite.checks.begin(), suite.checks.end());
  return out;
}

http::Response reply(const std::string& decision) { return json(200, JsonObject{}.raw("decision", decision).str()); }

}  // namespace

// Three steps, so that judging holds up no writer: between them only this lease may add to the run.
Result<http::Answer> post_finish(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  auto finish = wire::decode<wire::Finish>(request.body);
  if (!finish) return pass_on(finish);
  const std::string hash = lease_hash(request, finish->lease);
  auto gathered = context.database.read(
      [&](db::Connection& connection) { return gather(connection, *id, hash, context.clock.now()); });
  if (!gathered) return pass_on(gathered);
  if (gathered->decided) return reply(*gathered->decided);
  const auto policy = policy_of(*finish, gathered->run);
  if (!policy) return pass_on(policy);
  RunEvidence evidence = std::move(finish->evidence);
  if (const Status added = add_processes(evidence, std::move(gathered->processes)); !added) return pass_on(added);
  for (SuiteEvidence& suite : evidence.suites) attach_stored(suite, gathered->sessions, *policy, evidence.base_build);
  evidence.acknowledged = std::move(gathered->acknowledged);
  evidence.quarantined = std::move(gathered->quarantined);
  db::FinishedRun finished = finished_run(*finish, evidence, decide_run(evidence, *policy, gathered->stored));
  const auto trends = context.database.read(
      [&](db::Connection& connection) { return trend_notices(connection, gathered->run, finished.decision); });
  if (!trends) return pass_on(trends);
  // Of the run, not of the decision: a verdict must come out the same whatever else is stored.
  std::copy(trends->begin(), trends->end(), std::back_inserter(finished.decision.notices));
  const auto run = context.database.write([&](db::Connection& connection) -> Result<db::Run> {
    if (const Status held = check_lease(connection, *id, hash); !held) return pass_on(held);
    const Status done = db::finish_run(connection, *id, finished, context.clock.now());
    if (!done) return pass_on(done);
    db::put_judged_by(connection, *id, {finish->policy_toml_manifest, context.settings.program});
    log_run(connection, request, "run.finish", *id, std::string(to_string(finished.decision.conclusion)),
            context.clock.now());
    return db::get_run(connection, *id);
  });
  if (!run) return pass_on(run);
  announce(context, *run);
  return reply(finished.documents.decision);
}

}  // namespace kernelgate::api
