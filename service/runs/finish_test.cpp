// SPDX-License-Identifier: Apache-2.0
// One evidence, finished the server's way (queue, claim, messages) and the local way (one process): everything that is
// kept and told of the run is the same.
#include "service/runs/finish.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/decision/decide.hpp"
#include "core/units/digest.hpp"
#include "core/wire/codec.hpp"
#include "db/baselines/baselines.hpp"
#include "db/repositories/repositories.hpp"
#include "db/runs/bundles.hpp"
#include "service/baselines/quarantines.hpp"
#include "service/runs/claim.hpp"
#include "service/runs/local.hpp"
#include "service/runs/queries.hpp"
#include "service/runs/submit.hpp"
#include "service/runs/work.hpp"
#include "tests/support/history_fixture.hpp"
#include "tests/support/store_fixture.hpp"
#include "tests/support/test_evidence.hpp"

namespace kernelgate::service {
namespace finish_test {

using Json = nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kManifest =
    "schema = 1\n[build]\nbuild = \"\"\n[[suite]]\nname = \"gemm\"\nrun = \"./gemm\"\n[policy]\nmax_pairs = 8\n";

struct FixedClock final : Clock {
  [[nodiscard]] Instant now() const override { return from_millis(1800000000000); }
};

struct Work {
  std::size_t number = 0;  // of the commit
  std::string branch = "main";
  std::string patch_id{};
  RunEvidence evidence;
};

wire::TestbedFacts bed() {
  wire::TestbedFacts out;
  out.name = "bench";
  return out;
}

// A store with the creeping history of "gemm: gemm/64", an anchored baseline and a quarantined benchmark.
class Way {
 public:
  explicit Way(const std::filesystem::path& file) : database_(db::Database::open(file).value()) {
    std::vector<double> history = browse::creeping();
    for (double& level : history) level /= 1000;
    EXPECT_TRUE(browse::fill_history(*database_, "kernels", history));
    const Status done = database_->write([&](db::Connection& connection) -> Status {
      const db::Promotion promotion{.repository = RepositoryId{1},
                                    .run = RunId{3},
                                    .name = "v1",
                                    .actor = "ann",
                                    .reason = "release",
                                    .anchor = true};
      if (const auto id = db::promote(connection, promotion, clock_.now()); !id) return pass_on(id);
      // Known from the first run on, as set_quarantine asks.
      connection.run("INSERT INTO benchmarks (repository_id, suite, name) VALUES (1, 'gemm', 'wild')");
      const db::NewQuarantine wanted{.repository = RepositoryId{1},
                                     .suite = "gemm",
                                     .benchmark = "wild",
                                     .epoch = {},
                                     .actor = "ann",
                                     .reason = "noisy"};
      if (const auto id = set_quarantine(connection, wanted, clock_.now()); !id) return pass_on(id);
      return {};
    });
    EXPECT_TRUE(done) << to_string(done.error());
  }
  virtual ~Way() = default;

  Finished judge(const Work& work) {
    const RunId run = begin(work);
    wire::Resolved resolved;
    resolved.base_commit = browse::commit_of(work.number - 1);
    resolved.base_tree = std::string(40, 'a');
    resolved.head_tree = browse::commit_of(work.number);
    resolved.manifest_sha256 = sha256_hex(kManifest);
    resolved.policy = "rule=pairs max_pairs=8 gpu_seconds=60";
    resolved.subject = "Change";
    resolved.author = "A <a@b>";
    resolved.notices = {"the toolkit is old"};
    resolved.patch_id = work.patch_id;
    resolved.sandbox = "none";
    const auto known = resolve(store(), run, resolved, true, holder_, clock_.now());
    EXPECT_TRUE(known) << to_string(known.error());
    EXPECT_FALSE(known->reused_from);
    for (const SuiteEvidence& suite : work.evidence.suites)
      EXPECT_TRUE(upload(store(), run, suite.processes, holder_, clock_.now()));
    auto finished = finish(store(), run, work_of(work), holder_, clock_);
    EXPECT_TRUE(finished) << to_string(finished.error());
    return finished ? std::move(*finished) : Finished{};
  }

  [[nodiscard]] Store store() const { return *database_; }

  // Every row that the run left in these tables, as text.
  std::vector<std::string> rows(const std::string& sql, RunId run) {
    return *database_->read([&](db::Connection& connection) {
      std::vector<std::string> out;
      db::Statement row = connection.query(sql, run);
      while (row.step()) out.push_back(row.text(0));
      return out;
    });
  }

 protected:
  virtual RunId begin(const Work& work) = 0;
  virtual FinishedWork work_of(const Work& work) = 0;

  FixedClock clock_;
  std::unique_ptr<db::Database> database_;
  Holder holder_;
};

class ServersWay final : public Way {
 public:
  using Way::Way;

 protected:
  RunId begin(const Work& work) override {
    wire::Trigger trigger{.repository = "kernels", .commit = browse::commit_of(work.number), .branch = work.branch};
    trigger.source = "cli";
    trigger.base = {wire::BaseKind::first_parent, ""};
    EXPECT_TRUE(submit(store(), trigger, {.key = trigger_key(trigger)}, "ann", clock_.now()));
    const auto claimed = claim(store(), {.runner = "kernels", .testbed = bed()}, {.token = 7, .actor = "r"}, clock_);
    EXPECT_TRUE(claimed && *claimed);
    holder_ = {.lease_sha256 = lease_hash((*claimed)->claim.lease, 7), .actor = "r"};
    return (*claimed)->run.id;
  }
  // As it arrives over the wire: without processes, and through the codec.
  FinishedWork work_of(const Work& work) override {
    wire::Finish message{.lease = "l", .evidence = work.evidence, .policy_toml_manifest = kManifest};
    message.gpu_s_held = 12;
    message.gpu_s_used = 9;
    message.wall_s = 20;
    for (SuiteEvidence& suite : message.evidence.suites) suite.processes.clear();
    auto received = wire::decode<wire::Finish>(wire::encode(message));
    EXPECT_TRUE(received) << to_string(received.error());
    return {.evidence = received->evidence,
            .manifest = received->policy_toml_manifest,
            .program = "kernelgate 1",
            .gpu_s_held = received->gpu_s_held,
            .gpu_s_used = received->gpu_s_used,
            .wall_s = received->wall_s};
  }
};

class LocalWay final : public Way {
 public:
  using Way::Way;

 protected:
  RunId begin(const Work& work) override {
    LocalRun wanted{.repository = {.name = "kernels", .url = "file:///k", .default_branch = "main"},
                    .testbed = bed(),
                    .commit = browse::commit_of(work.number),
                    .branch = work.branch,
                    .source = "cli",
                    .base = {wire::BaseKind::first_parent, ""},
                    .seed = 5};
    const auto begun = begin_local(store(), wanted, clock_.now());
    EXPECT_TRUE(begun) << to_string(begun.error());
    return begun->run;
  }
  FinishedWork work_of(const Work& work) override {
    return {.evidence = work.evidence,
            .manifest = kManifest,
            .program = "kernelgate 1",
            .gpu_s_held = 12,
            .gpu_s_used = 9,
            .wall_s = 20};
  }
};

Work work_on(std::size_t number, double shift, const std::string& branch = "main") {
  Work out{.number = number, .branch = branch, .patch_id = {}, .evidence = {}};
  out.evidence.has_base = true;
  out.evidence.notices = {"the toolkit is old"};
  SuiteEvidence suite = test::suite_named("gemm", {"gemm/64", "wild"});
  test::add_pairs(suite, "gemm/64", test::wobble(shift, 0.001, 8));
  const SuiteEvidence wild = [] {
    SuiteEvidence other = test::suite_named("gemm", {"wild"});
    test::add_pairs(other, "wild", test::wobble(0.4, 0.001, 8));
    return other;
  }();
  for (std::size_t i = 0; i < suite.processes.size(); ++i) {
    Process& process = suite.processes[i];
    process.series.push_back(wild.processes[i].series.front());
    process.id += "-" + std::to_string(number);
    process.state_json = R"({"price_per_hour": 3.5})";
  }
  CheckCase check;
  check.suite = "gemm";
  check.name = "odd";
  check.rel_err = 0.25;
  suite.checks = {check};
  out.evidence.suites.push_back(std::move(suite));
  return out;
}

Json shown(Way& way, const Finished& finished) {
  const auto run = whole_run(way.store(), finished.run.id);
  EXPECT_TRUE(run) << to_string(run.error());
  Json out = Json::parse(wire::encode(*run));
  out.erase("claims");  // nobody claims a local run
  return out;
}

Json bundle(Way& way, const Finished& finished) {
  const auto made =
      way.store().read([&](db::Connection& connection) { return db::make_bundle(connection, finished.run.id); });
  EXPECT_TRUE(made) << to_string(made.error());
  Json out = Json::parse(wire::encode(*made));
  out["run"].erase("seed");  // drawn by whoever made the run
  return out;
}

void expect_same(Way& server, Way& local, const Work& work) {
  const Finished one = server.judge(work), other = local.judge(work);
  EXPECT_EQ(one.document, other.document);
  EXPECT_EQ(one.decision.notices, other.decision.notices);
  EXPECT_EQ(wire::encode(one.decision), wire::encode(other.decision));
  EXPECT_EQ(describe(one.cost), describe(other.cost));
  EXPECT_EQ(shown(server, one), shown(local, other));
  EXPECT_EQ(bundle(server, one), bundle(local, other));
  for (const char* sql :
       {"SELECT evidence || decision || manifest || program || rule_version FROM run_documents WHERE run_id = ?",
        "SELECT judged_key || sandbox || trust || policy || generation || state || exit_code FROM runs WHERE id = ?",
        "SELECT benchmark_id || ' ' || median_ns || ' ' || verdict || ' ' || coalesce(ratio, '') || process_count "
        "FROM history WHERE run_id = ?",
        "SELECT name || passed || rel_err FROM checks WHERE run_id = ?",
        "SELECT a.outcome || a.branch || a.detail FROM attempts a JOIN attempt_runs t ON t.attempt_id = a.id WHERE "
        "t.run_id = ?"})
    EXPECT_EQ(server.rows(sql, one.run.id), local.rows(sql, other.run.id)) << sql;
}

class Finishing : public testing::Test {
 protected:
  db::Folder folder_;
  ServersWay server_{folder_ / "server.db"};
  LocalWay local_{folder_ / "local.db"};
};

TEST_F(Finishing, OnTheDefaultBranchBothWaysTellOfTrends) {
  const Work work = work_on(23, 0.056);
  expect_same(server_, local_, work);
  const auto notices = get_run(local_.store(), RunId{23})->notices;
  EXPECT_THAT(notices, Contains("the toolkit is old"));
  EXPECT_THAT(notices, Contains(HasSubstr("gemm: gemm/64: creep: +5")));
  EXPECT_THAT(notices, Contains(HasSubstr("against the anchored baseline v1")));
  const auto run = whole_run(local_.store(), RunId{23});
  EXPECT_EQ(run->comparisons.at(1).benchmark, "wild");
  EXPECT_THAT(run->comparisons.at(1).quarantined, Not(IsEmpty()));
}

TEST_F(Finishing, OnAnotherBranchBothWaysAskTheLedger) {
  Work first = work_on(23, 0.2, "try/a");
  first.patch_id = "p";
  expect_same(server_, local_, first);
  Work second = work_on(24, 0.2, "try/b");
  second.patch_id = "p";
  const Finished one = server_.judge(second), other = local_.judge(second);
  EXPECT_EQ(one.decision.notices, other.decision.notices);
  EXPECT_THAT(other.decision.notices, Contains(HasSubstr("you tried this before")));
  EXPECT_THAT(other.decision.notices, Not(Contains(HasSubstr("creep"))));
}

TEST_F(Finishing, AHeadThatDoesNotBuildEndsAlike) {
  Work work = work_on(23, 0);
  work.evidence.suites.clear();
  work.evidence.head_build = BuildEnd::failed;
  work.evidence.build_text = "gemm.cu(7): error";
  expect_same(server_, local_, work);
  EXPECT_EQ(get_run(local_.store(), RunId{23})->conclusion, Conclusion::build_failed);
}

TEST_F(Finishing, ARunOfInfrastructureNeedsNoManifest) {
  Work work = work_on(23, 0);
  work.evidence.infrastructure = "the GPU fell off the bus";
  expect_same(server_, local_, work);
  EXPECT_EQ(get_run(local_.store(), RunId{23})->conclusion, Conclusion::infrastructure);
}

}  // namespace finish_test
}  // namespace kernelgate::service
