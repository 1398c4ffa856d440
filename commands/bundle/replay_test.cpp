// SPDX-License-Identifier: Apache-2.0
#include "commands/bundle/replay.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "commands/bundle/export.hpp"
#include "commands/run/run.hpp"
#include "core/decision/decide.hpp"
#include "core/units/limits.hpp"
#include "core/units/time.hpp"
#include "db/runs/bundle_file.hpp"
#include "service/runs/thinning.hpp"
#include "tests/support/table_repository.hpp"

namespace kernelgate::bundle {
namespace replay_test {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A live run of two commits, exported.
class ReplayTest : public testing::Test {
 protected:
  static constexpr const char* kProgram = "kernelgate 0 (test)";

  ReplayTest() {
    repository_.commit({{"times", "same\t100\nslow\t100\ngone\t7\n"}});
    repository_.commit({{"times", "same\t100\nslow\t140\nnew\t7\n"}});
    options_.repository = repository_.folder();
    options_.no_sandbox = true;
    options_.program = kProgram;
  }

  local::RunOutcome measured() {
    const auto outcome = local::run_here(options_, [](const std::string&) {}, {});
    EXPECT_TRUE(outcome) << to_string(outcome.error());
    return outcome.value_or(local::RunOutcome{});
  }
  fs::path exported(std::int64_t run) {
    const fs::path file = repository_.folder() / ("run " + std::to_string(files_++) + ".kgb");
    const auto done = export_run({.run = run, .repository = repository_.folder(), .output = file});
    EXPECT_TRUE(done) << to_string(done.error());
    return file;
  }
  fs::path written(const std::string& bytes) {
    const fs::path file = repository_.folder() / ("made " + std::to_string(files_++) + ".kgb");
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }
  static wire::Bundle unpacked(const fs::path& file) {
    auto bundle = db::unpack_bundle(read(file));
    EXPECT_TRUE(bundle) << to_string(bundle.error());
    return std::move(*bundle);
  }
  // Replays a bundle that was changed on the way.
  Replay changed(const fs::path& file, const std::function<void(wire::Bundle&)>& change,
                 const std::string& program = kProgram) {
    wire::Bundle bundle = unpacked(file);
    change(bundle);
    const auto replay = replay_file(written(db::pack_bundle(bundle).value()), program);
    EXPECT_TRUE(replay) << to_string(replay.error());
    return replay.value_or(Replay{});
  }
  Error refused(const std::string& bytes) {
    const auto replay = replay_file(written(bytes), kProgram);
    EXPECT_FALSE(replay);
    return replay ? Error{} : replay.error();
  }

  TableRepository repository_;
  local::RunOptions options_;
  int files_ = 0;
};

TEST_F(ReplayTest, ALiveRunReplaysByteForByte) {
  const local::RunOutcome outcome = measured();
  const auto replay = replay_file(exported(outcome.run), kProgram);
  ASSERT_TRUE(replay) << to_string(replay.error());
  EXPECT_EQ(replay->same, Sameness::bytes);
  EXPECT_EQ(exit_code(*replay), 0);
  EXPECT_EQ(replay->decision.conclusion, Conclusion::regressed);
  EXPECT_EQ(replay->decision.comparisons.size(), outcome.decision.comparisons.size());
  EXPECT_THAT(to_table(*replay, {}), HasSubstr("the same decision, byte for byte"));
}

TEST_F(ReplayTest, TheBundleHoldsWhatTheRunWasJudgedBy) {
  const wire::Bundle bundle = unpacked(exported(measured().run));
  EXPECT_EQ(bundle.program, kProgram);
  EXPECT_EQ(bundle.rule_version, kRuleVersion);
  EXPECT_EQ(bundle.manifest, TableRepository::manifest(""));
  EXPECT_EQ(bundle.run.head_tree.size(), 40u);
  EXPECT_EQ(bundle.run.base_tree.size(), 40u);
  EXPECT_NE(bundle.run.seed, 0u);
  EXPECT_THAT(bundle.run.testbed, Contains(testing::Key("host_cpu")));
  ASSERT_EQ(bundle.evidence.suites.size(), 1u);
  const SuiteEvidence& suite = bundle.evidence.suites[0];
  EXPECT_EQ(suite.base_program.size(), 64u);
  EXPECT_EQ(suite.base_program, suite.head_program) << "the same script; the times stand in another file";
  ASSERT_FALSE(suite.processes.empty());
  EXPECT_FALSE(suite.processes[0].series.at(0).samples_ns.empty());
  EXPECT_EQ(suite.processes[0].state_json, "{}");
}

TEST_F(ReplayTest, AThinnedRunReplaysToTheSameVerdictsAndSaysSo) {
  const std::int64_t run = measured().run;
  {
    const auto store = db::Database::open(repository_.folder() / ".git/kernelgate/local.db");
    ASSERT_TRUE(store) << to_string(store.error());
    const Instant later = SystemClock().now() + std::chrono::hours(1);
    const auto thinned = service::thin_store(**store, {.before = later}, "ann", later);
    ASSERT_TRUE(thinned) << to_string(thinned.error());
    EXPECT_EQ(thinned->runs, 1);
    EXPECT_GT(thinned->bytes, 0);
  }
  const fs::path file = exported(run);
  EXPECT_LE(unpacked(file).evidence.suites.at(0).processes.at(0).series.at(0).samples_ns.size(), 6u);
  const auto replay = replay_file(file, kProgram);
  ASSERT_TRUE(replay) << to_string(replay.error());
  EXPECT_THAT(replay->differences, testing::IsEmpty());
  EXPECT_EQ(exit_code(*replay), 0);
  EXPECT_EQ(replay->decision.conclusion, Conclusion::regressed);
  EXPECT_THAT(to_table(*replay, {}), HasSubstr("tails and modes are not replayed"));
}

TEST_F(ReplayTest, ARunThatReusedAVerdictExportsTheOneThatWasMeasured) {
  const auto first = measured();
  const auto second = measured();
  ASSERT_TRUE(second.reused_from);
  EXPECT_EQ(unpacked(exported(second.run)).run.id, first.run);
}

TEST_F(ReplayTest, AnotherProgramMayWordItOtherwise) {
  const fs::path file = exported(measured().run);
  const auto reword = [](wire::Bundle& bundle) {
    const std::size_t at = bundle.decision.find("proven slower");
    ASSERT_NE(at, std::string::npos);
    bundle.decision.replace(at, 6, "shown");
  };
  const Replay other = changed(file, reword, "kernelgate 9 (other)");
  EXPECT_EQ(other.same, Sameness::figures);
  EXPECT_EQ(exit_code(other), 0);
  EXPECT_THAT(to_table(other, {.columns = 200}), HasSubstr("the same verdicts, looks and 12 digits (decided by"));
  const Replay same = changed(file, reword);
  EXPECT_EQ(exit_code(same), 1) << "the same program must give the same bytes";
}

TEST_F(ReplayTest, WhatDiffersIsNamed) {
  const fs::path file = exported(measured().run);
  const Replay replay = changed(file, [](wire::Bundle& bundle) {
    for (Process& process : bundle.evidence.suites[0].processes)
      for (Series& series : process.series)
        if (series.benchmark == "slow" && process.side == Side::head)
          for (double& sample : series.samples_ns) sample = 100;
  });
  EXPECT_EQ(replay.same, Sameness::differs);
  EXPECT_EQ(exit_code(replay), 1);
  EXPECT_THAT(replay.differences, Contains("Table: slow: verdict is unchanged, was regressed"));
  const auto json = nlohmann::json::parse(to_json(replay));
  EXPECT_EQ(json["same"], "differs");
  EXPECT_EQ(json["exit_code"], 1);
  EXPECT_EQ(json["decision"]["conclusion"], "passed");
}

TEST_F(ReplayTest, DamagedFilesAreRefusedByName) {
  const std::string good = read(exported(measured().run));
  EXPECT_EQ(refused("").code, Errc::invalid);
  EXPECT_THAT(to_string(refused(R"({"format":"kernelgate-bundle"})")), HasSubstr("no zstd frame"));
  EXPECT_EQ(refused(good.substr(0, good.size() / 2)).code, Errc::corrupt);
  EXPECT_EQ(refused(good.substr(0, good.size() - 1)).code, Errc::corrupt);
  EXPECT_EQ(refused(good + "x").code, Errc::corrupt);
  for (std::size_t at = 12; at < good.size(); at += good.size() / 40) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x20);
    EXPECT_EQ(refused(bad).code, Errc::corrupt) << "byte " << at;
  }
  EXPECT_EQ(replay_file("/nowhere/x.kgb", kProgram).error().code, Errc::not_found);
  EXPECT_EQ(replay_file(repository_.folder(), kProgram).error().code, Errc::invalid);
  EXPECT_EQ(replay_file("/dev/zero", kProgram).error().code, Errc::too_large);
}

TEST_F(ReplayTest, UnknownFormsAndRulesAreRefused) {
  const wire::Bundle good = unpacked(exported(measured().run));
  const auto error_of = [&](const std::function<void(wire::Bundle&)>& change) {
    wire::Bundle bundle = good;
    change(bundle);
    return refused(db::pack_bundle(bundle).value());
  };
  const Error rule = error_of([](wire::Bundle& bundle) { bundle.rule_version = kRuleVersion + 1; });
  EXPECT_EQ(rule.code, Errc::unsupported);
  EXPECT_THAT(rule.what, HasSubstr("rule version " + std::to_string(kRuleVersion + 1)));
  EXPECT_EQ(error_of([](wire::Bundle& bundle) { bundle.version = 2; }).code, Errc::unsupported);
  EXPECT_EQ(error_of([](wire::Bundle& bundle) { bundle.format = "other"; }).code, Errc::invalid);
  EXPECT_EQ(error_of([](wire::Bundle& bundle) { bundle.manifest += "\n"; }).code, Errc::corrupt);
  EXPECT_EQ(error_of([](wire::Bundle& bundle) { bundle.decision = "{"; }).code, Errc::corrupt);
}

TEST_F(ReplayTest, MembersThatContradictEachOtherAreRefused) {
  const wire::Bundle good = unpacked(exported(measured().run));
  struct Case {
    const char* says;
    std::function<void(wire::Bundle&)> change;
  };
  const Case cases[] = {
      {"says another policy than its manifest has", [](auto& bundle) { bundle.run.policy = canonical_text({}) + "0"; }},
      {"says another policy than its manifest has", [](auto& bundle) { bundle.run.policy.clear(); }},
      {"commit of the run is no git hash", [](auto& bundle) { bundle.run.commit = "main"; }},
      {"base_tree of the run is no git hash", [](auto& bundle) { bundle.run.base_tree += "0"; }},
      {"one commit with two trees", [](auto& bundle) { bundle.run.base_commit = bundle.run.commit; }},
      {"says that there was no base", [](auto& bundle) { bundle.evidence.has_base = false; }},
      {"a program of suite Table has no SHA-256",
       [](auto& bundle) { bundle.evidence.suites[0].head_program = "deadbeef"; }},
      {"does not draw the order of sides in pair 1 of suite Table",
       [](auto& bundle) {
         const Side drawn = first_side(bundle.run.seed, "Table", 0, 0);
         while (first_side(bundle.run.seed, "Table", 0, 0) == drawn) ++bundle.run.seed;
       }},
      {"does not draw the order of sides in pair 2",
       [](auto& bundle) {
         for (Process& process : bundle.evidence.suites[0].processes)
           if (process.pair == 1) process.side = process.side == Side::base ? Side::head : Side::base;
       }},
  };
  for (const Case& c : cases) {
    wire::Bundle bundle = good;
    c.change(bundle);
    const Error error = refused(db::pack_bundle(bundle).value());
    EXPECT_EQ(error.code, Errc::corrupt) << c.says;
    EXPECT_THAT(error.what, HasSubstr(c.says));
  }
}

TEST_F(ReplayTest, ExportSaysWhatIsNotThere) {
  const auto run = measured().run;
  const fs::path file = exported(run);
  ExportRequest request{.run = run, .repository = repository_.folder(), .output = file};
  EXPECT_EQ(export_run(request).error().code, Errc::conflict) << "never over a file";
  request.output = repository_.folder() / "other.kgb";
  request.run = 99;
  EXPECT_EQ(export_run(request).error().code, Errc::not_found);
  request.database = "/nowhere/x.db";
  EXPECT_EQ(export_run(request).error().code, Errc::not_found);
  EXPECT_FALSE(fs::exists(request.output));
}

// Made by tests/golden/bundles/make.sh with an earlier build: its verdicts are those of this one.
TEST(GoldenBundles, ReplayToTwelveDigits) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(KG_GOLDEN_BUNDLES)) {
    if (entry.path().extension() != ".kgb") continue;
    SCOPED_TRACE(entry.path().filename());
    ++files;
    const auto replay = replay_file(entry.path(), "kernelgate (this build)");
    ASSERT_TRUE(replay) << to_string(replay.error());
    EXPECT_THAT(replay->differences, testing::IsEmpty());
    EXPECT_EQ(exit_code(*replay), 0);
  }
  EXPECT_GT(files, 0);
}

}  // namespace replay_test
}  // namespace kernelgate::bundle
