// SPDX-License-Identifier: Apache-2.0
// How a finished run becomes a line of the ledger.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/units/digest.hpp"
#include "core/wire/codec.hpp"
#include "db/baselines/sessions.hpp"
#include "db/ledger/attempt_parts.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/run_parts.hpp"
#include "db/runs/runs.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

using ledger::Outcome;

struct Tried {
  RunId run, judged;  // judged: the run whose verdict this one has
  RepositoryId repository;
  std::string default_branch, branch, source, commit, tree, subject, reason, summary;
  RunState state = RunState::done;
  std::optional<Conclusion> conclusion;
  std::optional<Instant> finished_at;
  AttemptFacts facts;
  bool of_pull_request = false;
};

std::optional<Tried> read_tried(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT r.repository_id, p.default_branch, r.branch, r.source, h.hash, h.tree, h.subject, r.reason, r.summary, "
      "r.state, r.conclusion, r.finished_at, coalesce(r.reused_from, r.id), coalesce(f.hypothesis, ''), "
      "coalesce(nullif(f.patch_id, ''), g.patch_id, ''), coalesce(f.suite, ''), coalesce(f.point, ''), "
      "coalesce(f.is_reference, 0), r.pull_request FROM runs r JOIN repositories p ON p.id = r.repository_id JOIN "
      "commits h ON h.id = r.head_id LEFT JOIN attempt_facts f ON f.run_id = r.id LEFT JOIN attempt_facts g ON "
      "g.run_id = r.reused_from WHERE r.id = ?",
      run);
  if (!row.step()) return std::nullopt;
  Tried out;
  out.run = run;
  out.judged = row.id<RunId>(12);
  out.repository = row.id<RepositoryId>(0);
  out.default_branch = row.text(1);
  out.branch = row.text(2);
  out.source = row.text(3);
  out.commit = row.text(4);
  out.tree = row.text(5);
  out.subject = row.text(6);
  out.reason = row.text(7);
  out.summary = row.text(8);
  out.state = known(parse_run_state(row.text(9)), row.text(9));
  if (!row.is_null(10)) out.conclusion = parse_conclusion(row.text(10));
  out.finished_at = row.maybe_instant(11);
  out.facts = {.hypothesis = row.text(13),
               .patch_id = row.text(14),
               .suite = row.text(15),
               .point = row.text(16),
               .is_reference = row.boolean(17)};
  out.of_pull_request = !row.is_null(18) && row.integer(18) > 0;
  return out;
}

// Empty: no attempt. Runs that judge nobody's new idea are none, whatever their branch.
std::string kind_of(const Tried& tried) {
  constexpr std::array<std::string_view, 3> kNever{kSessionSource, "bisect", "backfill"};
  if (std::find(kNever.begin(), kNever.end(), tried.source) != kNever.end()) return {};
  if (!tried.facts.point.empty()) return "point";
  if (tried.source == "work-tree") return "work_tree";
  // Where nobody named a branch, a hypothesis says that this was meant as a try.
  if (tried.of_pull_request) return "commit";  // a fork's branch may be called main too
  if (tried.branch.empty()) return tried.facts.hypothesis.empty() ? "" : "commit";
  return tried.branch == tried.default_branch ? "" : "commit";
}

std::string point_key(const std::string& suite, const std::string& commit, const std::string& point) {
  return "point " + suite + " " + commit + " " + point;
}

std::string key_of(const Tried& tried, const std::string& kind) {
  if (kind == "point") return point_key(tried.facts.suite, tried.commit, tried.facts.point);
  if (kind == "work_tree" && !tried.tree.empty()) return "tree " + tried.tree;
  return "commit " + tried.branch + " " + tried.commit;
}

std::string program_of(const std::vector<KernelCode>& code, const std::string& program) {
  if (code.empty()) return program;
  std::set<std::string> kernels;
  for (const KernelCode& kernel : code) kernels.insert(kernel.kernel + "\n" + kernel.arch + "\n" + kernel.sass_sha256);
  Sha256 hash;
  for (const std::string& kernel : kernels) hash.field(kernel);
  return hash.hex();
}

// One hash of all device code, or of the executables where there is none. Empty where some are not known, or where
// base has the same: then it tells nothing.
std::string code_of(Connection& connection, RunId run) {
  const auto documents = get_documents(connection, run);
  if (!documents) return {};
  const auto evidence = wire::decode<RunEvidence>(documents->evidence);
  if (!evidence || evidence->suites.empty()) return {};
  std::map<std::string, std::string> programs;
  bool changed = false;
  for (const SuiteEvidence& suite : evidence->suites) {
    const std::string head = program_of(suite.head_code, suite.head_program);
    if (head.empty()) return {};
    changed = changed || head != program_of(suite.base_code, suite.base_program);
    programs[suite.name] = head;
  }
  if (!changed) return {};
  Sha256 hash;
  for (const auto& [suite, program] : programs) hash.field(suite).field(program);
  return hash.hex();
}

// What the ledger keeps of a verdict.
struct Verdicts {
  ledger::Judged judged;
  std::vector<Comparison> comparisons;
  const Comparison* best = nullptr;
  const Comparison* worst = nullptr;
  int timed = 0, improved = 0, regressed = 0;
  std::optional<double> error_factor;
  std::set<std::string> fingerprints;
};

void add_figures(Verdicts& out) {
  for (const Comparison& one : out.comparisons) {
    if (!one.fingerprint.empty() && out.fingerprints.size() < limits::kFailuresPerAttemptMax)
      out.fingerprints.insert(one.fingerprint);
    if (!one.ratio || !std::isfinite(*one.ratio)) continue;
    ++out.timed;
    if (one.error_factor && std::isfinite(*one.error_factor))
      out.error_factor = std::max(out.error_factor.value_or(0), *one.error_factor);
    if (!one.quarantined.empty()) continue;
    if (out.best == nullptr || *one.ratio < *out.best->ratio) out.best = &one;
    if (out.worst == nullptr || *one.ratio > *out.worst->ratio) out.worst = &one;
    out.improved += one.verdict == Verdict::improved ? 1 : 0;
    out.regressed += one.verdict == Verdict::regressed ? 1 : 0;
  }
}

Verdicts verdicts_of(Connection& connection, const Tried& tried) {
  Verdicts out;
  if (!tried.conclusion) {
    const bool superseded = tried.reason.starts_with("superseded");
    out.judged = {superseded ? Outcome::superseded : Outcome::cancelled, tried.reason};
    return out;
  }
  RunDecision decision;
  decision.conclusion = *tried.conclusion;
  decision.reason = tried.reason;
  decision.summary = tried.summary;
  decision.comparisons = list_comparisons(connection, tried.judged);
  out.judged = ledger::judge_attempt(decision);
  if (tried.facts.is_reference && ledger::is_judged(out.judged.outcome) && !ledger::is_failure(out.judged.outcome))
    out.judged = {Outcome::reference, "what the other points are compared with"};
  out.comparisons = std::move(decision.comparisons);
  add_figures(out);
  return out;
}

std::optional<std::int64_t> row_of(Connection& connection, RepositoryId repository, const Comparison* one) {
  if (one == nullptr) return std::nullopt;
  return benchmark_row(connection, repository, one->suite, one->benchmark);
}

std::optional<double> figure(const Comparison* one, std::optional<double> Comparison::*member) {
  return one == nullptr ? std::nullopt : one->*member;
}

void write_verdicts(Connection& connection, AttemptId id, const Tried& tried, const Verdicts& verdicts) {
  const Comparison *best = verdicts.best, *worst = verdicts.worst;
  connection.run(
      "UPDATE attempts SET outcome = ?, detail = ?, timed = ?, improved = ?, regressed = ?, error_factor = ?, patch_id "
      "= ?, code_sha256 = ? WHERE id = ?",
      ledger::to_string(verdicts.judged.outcome), verdicts.judged.text, verdicts.timed, verdicts.improved,
      verdicts.regressed, verdicts.error_factor, tried.facts.patch_id, code_of(connection, tried.judged), id);
  connection.run("UPDATE attempts SET best_benchmark_id = ?, best_ratio = ?, best_low = ?, best_high = ? WHERE id = ?",
                 row_of(connection, tried.repository, best), figure(best, &Comparison::ratio),
                 figure(best, &Comparison::ratio_low), figure(best, &Comparison::ratio_high), id);
  connection.run(
      "UPDATE attempts SET worst_benchmark_id = ?, worst_ratio = ?, worst_low = ?, worst_high = ? WHERE id = ?",
      row_of(connection, tried.repository, worst), figure(worst, &Comparison::ratio),
      figure(worst, &Comparison::ratio_low), figure(worst, &Comparison::ratio_high), id);
  connection.run("DELETE FROM attempt_failures WHERE attempt_id = ?", id);
  for (const std::string& fingerprint : verdicts.fingerprints)
    connection.run("INSERT INTO attempt_failures (attempt_id, fingerprint) VALUES (?, ?)", id, fingerprint);
}

// An idea that was noted for this branch is tried by the branch's first run.
std::optional<AttemptId> take_idea(Connection& connection, const Tried& tried, const std::string& kind,
                                   const std::string& key) {
  if (tried.branch.empty() || kind == "point") return std::nullopt;
  Statement row = connection.query(
      "SELECT id FROM attempts WHERE repository_id = ? AND branch = ? AND kind = 'idea' ORDER BY id LIMIT 1",
      tried.repository, tried.branch);
  if (!row.step()) return std::nullopt;
  const auto id = row.id<AttemptId>(0);
  connection.run("UPDATE attempts SET kind = ?, key = ?, commit_hash = ?, subject = ? WHERE id = ?", kind, key,
                 tried.commit, tried.subject, id);
  return id;
}

AttemptId attempt_for(Connection& connection, const Tried& tried, const std::string& kind, Instant now) {
  const std::string key = key_of(tried, kind);
  if (const auto known_one = find_attempt(connection, tried.repository, key)) return *known_one;
  if (const auto idea = take_idea(connection, tried, kind, key)) return *idea;
  const bool is_point = kind == "point";
  return add_attempt(connection,
                     {.repository = tried.repository,
                      .kind = kind,
                      .key = key,
                      .branch = is_point ? std::string() : tried.branch,
                      .commit = tried.commit,
                      .subject = tried.subject,
                      .suite = tried.facts.suite,
                      .point = tried.facts.point,
                      .hypothesis = tried.facts.hypothesis},
                     now);
}

bool keeps_verdict(Connection& connection, AttemptId id, Outcome fresh) {
  if (ledger::is_judged(fresh)) return false;
  Statement row = connection.query("SELECT outcome FROM attempts WHERE id = ?", id);
  return row.step() && ledger::is_judged(known(ledger::parse_outcome(row.text(0)), row.text(0)));
}

void add_run(Connection& connection, AttemptId id, const Tried& tried) {
  connection.run("INSERT INTO attempt_runs (run_id, attempt_id, price_per_hour) VALUES (?, ?, ?)", tried.run, id,
                 price_per_hour(connection, tried.run));
  connection.run(
      "UPDATE attempts SET tried_at = ?, subject = CASE WHEN ?2 <> '' THEN ?2 ELSE subject END, hypothesis = CASE WHEN "
      "hypothesis = '' THEN ?3 ELSE hypothesis END WHERE id = ?4",
      tried.finished_at, tried.subject, tried.facts.hypothesis, id);
  const Verdicts verdicts = verdicts_of(connection, tried);
  if (!keeps_verdict(connection, id, verdicts.judged.outcome)) write_verdicts(connection, id, tried, verdicts);
}

}  // namespace

std::optional<AttemptId> find_attempt(Connection& connection, RepositoryId repository, const std::string& key) {
  Statement row = connection.query("SELECT id FROM attempts WHERE repository_id = ? AND key = ?", repository, key);
  if (!row.step()) return std::nullopt;
  return row.id<AttemptId>(0);
}

AttemptId add_attempt(Connection& connection, const NewAttempt& one, Instant now) {
  connection.run(
      "INSERT INTO attempts (repository_id, kind, key, branch, commit_hash, subject, suite, point, hypothesis, lesson, "
      "outcome, detail, timed, improved, regressed, patch_id, code_sha256, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, "
      "?, '', 'not_tried', '', 0, 0, 0, '', '', ?)",
      one.repository, one.kind, one.key, one.branch, one.commit, one.subject, one.suite, one.point, one.hypothesis,
      now);
  return AttemptId{connection.last_insert_id()};
}

void put_attempt_facts(Connection& connection, RunId run, const AttemptFacts& facts) {
  connection.run(
      "INSERT INTO attempt_facts (run_id, hypothesis, patch_id, suite, point, is_reference) VALUES (?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (run_id) DO UPDATE SET hypothesis = CASE WHEN excluded.hypothesis <> '' THEN excluded.hypothesis "
      "ELSE attempt_facts.hypothesis END, patch_id = CASE WHEN excluded.patch_id <> '' THEN excluded.patch_id ELSE "
      "attempt_facts.patch_id END, suite = CASE WHEN excluded.suite <> '' THEN excluded.suite ELSE attempt_facts.suite "
      "END, point = CASE WHEN excluded.point <> '' THEN excluded.point ELSE attempt_facts.point END",
      run, facts.hypothesis.substr(0, limits::kHypothesisMax), facts.patch_id, facts.suite, facts.point,
      facts.is_reference);
}

void record_attempt(Connection& connection, RunId run) {
  const auto tried = read_tried(connection, run);
  if (!tried || !is_finished(tried->state) || !tried->finished_at) return;
  const auto known_one = attempt_of_run(connection, run);
  if (known_one) return;
  std::string kind = kind_of(*tried);
  if (kind.empty() && find_attempt(connection, tried->repository, key_of(*tried, "commit"))) kind = "commit";
  if (kind.empty()) return;
  add_run(connection, attempt_for(connection, *tried, kind, *tried->finished_at), *tried);
}

AttemptId force_attempt(Connection& connection, RunId run, Instant now) {
  if (const auto known_one = attempt_of_run(connection, run)) return *known_one;
  const auto tried = read_tried(connection, run);
  if (!tried) throw_corrupt("a run without a commit");
  const std::string kind = kind_of(*tried);
  const AttemptId id = attempt_for(connection, *tried, kind.empty() ? "commit" : kind, now);
  if (is_finished(tried->state) && tried->finished_at) add_run(connection, id, *tried);
  return id;
}

void plan_points(Connection& connection, const PlannedPoints& planned, Instant now) {
  for (const std::string& point : planned.points) {
    const std::string key = point_key(planned.suite, planned.commit, point);
    if (find_attempt(connection, planned.repository, key)) continue;
    (void)add_attempt(connection,
                      {.repository = planned.repository,
                       .kind = "point",
                       .key = key,
                       .commit = planned.commit,
                       .suite = planned.suite,
                       .point = point},
                      now);
  }
}

std::optional<double> price_per_hour(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT device_state FROM processes WHERE run_id = ? AND superseded = 0 ORDER BY id DESC LIMIT 1", run);
  if (!row.step()) return std::nullopt;
  const auto state = nlohmann::json::parse(row.text(0), nullptr, false);
  if (!state.is_object()) return std::nullopt;
  const auto price = state.find("price_per_hour");
  if (price == state.end() || !price->is_number() || !(price->get<double>() > 0)) return std::nullopt;
  return price->get<double>();
}

}  // namespace kernelgate::db
