// SPDX-License-Identifier: Apache-2.0
#include "service/runs/finish.hpp"

#include <algorithm>
#include <iterator>

#include "core/decision/decide.hpp"
#include "core/decision/rule/stored.hpp"
#include "core/manifest/manifest.hpp"
#include "core/units/digest.hpp"
#include "db/baselines/acknowledgements.hpp"
#include "db/baselines/quarantines.hpp"
#include "db/ledger/attempts.hpp"
#include "db/runs/bundles.hpp"
#include "db/runs/claims.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/jobs.hpp"
#include "db/runs/processes.hpp"
#include "service/history/trend_notices.hpp"
#include "service/ledger/alike.hpp"
#include "service/runs/cost.hpp"
#include "service/runs/ends.hpp"

namespace kernelgate::service {
namespace {

struct Gathered {
  std::optional<Finished> before;  // this lease finished the run already
  db::Run run;
  std::vector<Process> processes;
  std::vector<StoredVariance> stored;
  std::vector<StoredSessions> sessions;
  std::vector<Acknowledgement> acknowledged;
  std::vector<Quarantine> quarantined;
  std::optional<double> price_per_hour;
};

// All notices of a finished run: those of its row, and what the ledger says beside them.
Status read_end(db::Connection& connection, RunId id, Finished& out) {
  auto run = db::get_run(connection, id);
  if (!run) return pass_on(run);
  out.run = std::move(*run);
  out.decision.notices = out.run.notices;
  for (std::string& notice : attempt_notices(connection, id)) out.decision.notices.push_back(std::move(notice));
  return {};
}

Result<Finished> finished_before(db::Connection& connection, RunId id) {
  auto documents = db::get_documents(connection, id);
  if (!documents) return pass_on(documents);
  Finished out{.run = {},
               .document = std::move(documents->decision),
               .decision = db::stored_decision(connection, id),
               .cost = {},
               .is_repeated = true};
  if (const Status read = read_end(connection, id, out); !read) return pass_on(read);
  out.cost = cost_of(connection, out.run);
  return out;
}

bool is_finished_by(db::Connection& connection, RunId id, const Holder& holder) {
  return holder.lease_sha256 && db::lease_state(connection, id, *holder.lease_sha256) == db::LeaseState::finished;
}

Result<Gathered> gather(db::Connection& connection, RunId id, const Holder& holder, Instant now) {
  Gathered out;
  if (is_finished_by(connection, id, holder)) {
    if (auto before = finished_before(connection, id)) {
      out.before = std::move(*before);
      return out;
    }
  }
  if (const Status held = check_holder(connection, id, holder); !held) return pass_on(held);
  auto run = db::get_run(connection, id);
  if (!run) return pass_on(run);
  out.run = std::move(*run);
  out.processes = db::evidence_processes(connection, id);
  out.stored = db::claim_variances(connection, id, out.run.generation);
  out.sessions = db::claim_sessions(connection, id, out.run.generation);
  out.price_per_hour = db::price_per_hour(connection, id);
  out.quarantined = db::quarantines_in_force(connection, out.run.repository_id, out.run.epoch);
  if (out.run.epoch)
    out.acknowledged = db::acknowledgements_in_force(connection, out.run.repository_id, *out.run.epoch,
                                                     db::number_of(out.run.pull_request), now);
  return out;
}

// Base's effective manifest. A run that never got as far as a manifest is judged by the defaults.
Result<Policy> policy_of(const FinishedWork& work, const db::Run& run) {
  if (work.manifest.empty()) {
    if (run.manifest_sha256.empty() || !work.evidence.infrastructure.empty()) return Policy{};
    return fail(Errc::invalid, "the manifest that the run is judged by is missing", "/policy_toml_manifest",
                "send base's manifest text");
  }
  const auto manifest = parse_manifest(work.manifest, std::string(kManifestName));
  if (!manifest) return pass_on(manifest);
  if (!run.manifest_sha256.empty() && run.manifest_sha256 != sha256_hex(work.manifest))
    return fail(Errc::invalid, "not the manifest that the run was resolved with", "/policy_toml_manifest",
                "send the text whose SHA-256 `resolved` named");
  Policy policy = manifest->policy;
  policy.against = work.against.value_or(policy.against);
  return policy;
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

struct Judged {
  db::FinishedRun end;
  RunCost cost;
};

Result<Judged> judge(FinishedWork& work, Gathered& gathered) {
  const auto policy = policy_of(work, gathered.run);
  if (!policy) return pass_on(policy);
  Judged out;
  out.cost = {.held_s = work.gpu_s_held,
              .used_s = work.gpu_s_used,
              .saved_s = seconds_saved(gathered.processes, policy->max_pairs, policy->gpu_seconds),
              .price_per_hour = gathered.price_per_hour};
  RunEvidence& evidence = work.evidence;
  if (const Status added = add_processes(evidence, std::move(gathered.processes)); !added) return pass_on(added);
  for (SuiteEvidence& suite : evidence.suites) attach_stored(suite, gathered.sessions, *policy, evidence.base_build);
  evidence.acknowledged = std::move(gathered.acknowledged);
  evidence.quarantined = std::move(gathered.quarantined);
  out.end.decision = decide_run(evidence, *policy, gathered.stored);
  for (SuiteEvidence& suite : evidence.suites) suite.processes.clear();
  out.end.evidence = std::move(evidence);
  out.end.encoded = db::encode_documents(out.end);
  out.end.gpu_s_held = work.gpu_s_held;
  out.end.gpu_s_used = work.gpu_s_used;
  out.end.wall_s = work.wall_s;
  return out;
}

}  // namespace

// Three steps, so that judging holds up no writer: between them only this holder may add to the run.
Result<Finished> finish(Store store, RunId id, FinishedWork work, const Holder& holder, const Clock& clock) {
  auto gathered = store.read([&](db::Connection& connection) { return gather(connection, id, holder, clock.now()); });
  if (!gathered) return pass_on(gathered);
  if (gathered->before) return std::move(*gathered->before);
  auto judged = judge(work, *gathered);
  if (!judged) return pass_on(judged);
  db::FinishedRun& end = judged->end;
  auto trends =
      store.read([&](db::Connection& connection) { return trend_notices(connection, gathered->run, end.decision); });
  if (!trends) return pass_on(trends);
  // Of the run, not of the decision: a verdict must come out the same whatever else is stored.
  end.notices = std::move(*trends);
  Finished out{.run = {}, .document = end.encoded->decision, .decision = end.decision, .cost = judged->cost};
  const Status written = store.write([&](db::Connection& connection) -> Status {
    const Instant now = clock.now();
    if (const Status held = check_holder(connection, id, holder); !held) return held;
    if (const Status done = end_run(connection, id, end, now); !done) return done;
    db::put_judged_by(connection, id, {work.manifest, work.program});
    log_run(connection, holder.actor, "run.finish", id, std::string(to_string(end.decision.conclusion)), now);
    return read_end(connection, id, out);
  });
  if (!written) return pass_on(written);
  return out;
}

}  // namespace kernelgate::service
