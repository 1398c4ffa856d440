// SPDX-License-Identifier: Apache-2.0
// The ledger and the tuning report of a store on this machine, and how they are shown.
#include "commands/browse/ledger.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/ledger/tuning.hpp"
#include "core/units/digest.hpp"
#include "core/wire/codec.hpp"
#include "db/accounts/audit.hpp"
#include "db/ledger/attempts.hpp"
#include "service/runs/ends.hpp"
#include "tests/support/history_fixture.hpp"

namespace kernelgate::browse {
namespace ledger_test {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class LedgerBrowse : public testing::Test {
 protected:
  LedgerBrowse() : folder_(std::filesystem::temp_directory_path() / ("kg-ledger-" + random_hex(8))) {
    std::filesystem::create_directories(folder_);
    target_.database = folder_ / "store.db";
    database_ = std::move(db::Database::open(target_.database)).value();
    repository_ = *database_->write([](db::Connection& connection) {
      return db::add_repository(connection, {.name = "local", .url = "/k", .manifest = {}}, from_millis(0));
    });
  }
  ~LedgerBrowse() override {
    database_->stop();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  // A run that ends with one benchmark, wrong or timed.
  std::int64_t tried(const std::string& branch, std::optional<double> ratio, const std::string& hypothesis = {}) {
    const auto done = database_->write([&](db::Connection& connection) -> Result<RunId> {
      db::NewRun run{.repository = repository_, .commit = commit_of(++commits_), .branch = branch};
      run.subject = "Change | " + std::to_string(commits_);
      run.idempotency_key = run.commit;
      run.queued = false;
      const auto added = db::add_run(connection, run, from_millis(0));
      if (!added) return pass_on(added);
      db::put_attempt_facts(connection, added->id, {.hypothesis = hypothesis});
      db::FinishedRun finished;
      finished.decision.conclusion = ratio ? Conclusion::passed : Conclusion::broken;
      Comparison& one = finished.decision.comparisons.emplace_back();
      one.suite = "gemm";
      one.benchmark = "gemm/64";
      one.verdict = ratio ? Verdict::improved : Verdict::broken;
      one.ratio = ratio;
      one.pairs = ratio ? 4 : 0;
      if (!ratio) one.fingerprint = "0badf00d gemm/64 wrong_value 24.0145";
      finished.wall_s = 10;
      finished.gpu_s_held = 4;
      finished.gpu_s_used = 3;
      if (auto put = service::end_run(connection, added->id, finished, from_millis(1795257666123)); !put)
        return pass_on(put);
      return added->id;
    });
    EXPECT_TRUE(done) << to_string(done.error());
    return done ? done->value : 0;
  }

  std::filesystem::path folder_;
  Target target_;
  std::unique_ptr<db::Database> database_;
  RepositoryId repository_;
  std::size_t commits_ = 0;
};

TEST_F(LedgerBrowse, AStoreListsFiltersAndShows) {
  tried("try/a", {}, "fewer\x1b[31m loads | <b>");
  tried("try/b", {});
  tried("try/c", 0.9);
  const auto all = attempts(target_, {});
  ASSERT_TRUE(all) << to_string(all.error());
  const std::string table = to_table(*all, {.columns = 100});
  EXPECT_THAT(table, HasSubstr("\n1  broken   –"));
  EXPECT_THAT(table, HasSubstr("won      -10.0 %"));
  EXPECT_THAT(table, HasSubstr("      the same failure as attempt #2: gemm/64 wrong_value 24.0145\n"));
  EXPECT_THAT(table, Not(HasSubstr("\x1b")));
  EXPECT_THAT(to_markdown(*all), HasSubstr("| 1 | try/a<br>Change \\| 1 | fewer loads \\| &#60;b&#62; | broken |"));
  EXPECT_EQ(nlohmann::json::parse(to_json(*all))["attempts"].size(), 3u);
  EXPECT_THAT(*attempts(target_, {.outcome = "failed", .branch = "try/*", .text = "LOADS"}), SizeIs(1));
  EXPECT_THAT(*attempts(target_, {.since = "1h"}), IsEmpty());
  EXPECT_EQ(attempts(target_, {.outcome = "great"}).error().code, Errc::invalid);
  EXPECT_EQ(attempts(target_, {.since = "soon"}).error().code, Errc::invalid);
  EXPECT_THAT(to_text(*one_attempt(target_, 3)), HasSubstr("build 6.0 s, check 1.0 s, measure 3.0 s"));
  EXPECT_EQ(one_attempt(target_, 9).error().code, Errc::not_found);
  EXPECT_EQ(to_table(std::vector<wire::Attempt>{}, {}), "no attempts\n");
}

TEST_F(LedgerBrowse, NotesAreWrittenUnderTheCallersName) {
  const std::int64_t run = tried("main", 0.9);
  const auto noted = note(target_, {.repository = {}, .run = run, .hypothesis = {}, .lesson = "registers pay"});
  ASSERT_TRUE(noted) << to_string(noted.error());
  EXPECT_EQ(noted->lesson, "registers pay");
  ASSERT_TRUE(note(target_, {.repository = {}, .branch = "try/q", .hypothesis = "queues", .lesson = {}}));
  EXPECT_THAT(*attempts(target_, {.outcome = "not tried"}), SizeIs(1));
  const auto actions = database_->read([](db::Connection& connection) { return db::list_actions(connection); });
  ASSERT_THAT(*actions, SizeIs(2));
  EXPECT_FALSE(actions->front().action.actor.empty());
  EXPECT_EQ(note(target_, {.repository = {}, .run = 77, .hypothesis = {}, .lesson = "l"}).error().code,
            Errc::not_found);
  EXPECT_EQ(note(target_, {.repository = {}, .run = run}).error().code, Errc::invalid);
}

TEST_F(LedgerBrowse, TheTuningReportSaysWhatMatters) {
  tried("main", 0.5, "registers");
  tried("try/a", {}, "pipelining hides latency");
  tried("try/b", {});
  tried("try/c", 0.9);
  ASSERT_TRUE(note(target_, {.repository = {}, .branch = "try/q", .hypothesis = "queues", .lesson = {}}));
  const auto report = tuning_report(target_, {});
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_THAT(report->attempts, SizeIs(4));
  const std::string page = ledger::tuning_markdown(*report);
  EXPECT_THAT(page, HasSubstr("3 (try/c): gemm/64 -10.00 %; 1 of 1 benchmarks faster"));
  EXPECT_THAT(page, HasSubstr("2 fail alike (gemm/64 wrong\\_value 24.0145): look for one shared bug"));
  EXPECT_THAT(page, HasSubstr("- 2 of 3 attempts do not work (2 broken): 67 % of the time spent"));
  EXPECT_THAT(page, HasSubstr("## What landed"));
  EXPECT_THAT(page, HasSubstr("| check | 3.0 | 10 % |"));
  EXPECT_THAT(page, HasSubstr("4 try/q: queues (noted, never run)"));
  EXPECT_THAT(tuning_report(target_, {.branch = "try/c"})->attempts, SizeIs(1));
  EXPECT_THAT(tuning_report(target_, {.since = "1h"})->attempts, SizeIs(1));
  EXPECT_EQ(tuning_report(target_, {.since = "soon"}).error().code, Errc::invalid);
  target_.repository = "other";
  EXPECT_EQ(tuning_report(target_, {}).error().code, Errc::not_found);
}

}  // namespace ledger_test
}  // namespace kernelgate::browse
