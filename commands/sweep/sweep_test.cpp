// SPDX-License-Identifier: Apache-2.0
#include "commands/sweep/sweep.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "db/ledger/attempts.hpp"
#include "db/repositories/repositories.hpp"
#include "db/runs/runs.hpp"
#include "db/store/database.hpp"
#include "tests/support/table_repository.hpp"

namespace kernelgate::local {
namespace sweep_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// Each way in which a point of the example's matrix ended: wins, loses, computes wrong numbers, is misaligned, does not
// compile.
constexpr const char* kBuild = R"(
source=$1 build=$2
shift 2
for define in "$@"; do eval "${define#-D}"; done
cp "$source/table.sh" "$build/suite"
cp "$source/check.sh" "$build/check.sh"
case $BLOCK_M.$NUM_WARPS in
  64.4) printf 'attention\t100\n' ;;
  64.8) printf 'attention\t80\n' ;;
  80.*) printf 'attention\t100\texit 1\n' ;;
  128.4) printf 'attention\t50\n' && cp "$source/wrong.sh" "$build/check.sh" ;;
  128.8) echo "error: too many resources requested" >&2 && exit 1 ;;
esac >"$build/times"
)";

class SweepTest : public testing::Test {
 protected:
  SweepTest() {
    options_.run.repository = repository_.folder();
    options_.run.no_sandbox = true;
  }
  void commit(const std::string& sweep, const std::string& defines = " {defines}") {
    std::string manifest = TableRepository::manifest("") + sweep;
    manifest.insert(manifest.find("{source} {build}") + 16, defines);
    repository_.commit(
        {{"kernelgate.toml", manifest}, {"build.sh", kBuild}, {"wrong.sh", TableRepository::failing_check("0.5")}});
  }
  Result<std::vector<SweepResult>> sweep() {
    return sweep_here(options_, [](const std::string&) {}, {});
  }
  static constexpr const char* kMatrix =
      "[[sweep]]\nsuite = \"Table\"\naxes = { BLOCK_M = [64, 128, 80], NUM_WARPS = [4, 8], STAGES = [1] }\n";

  TableRepository repository_;
  SweepOptions options_;
};

TEST_F(SweepTest, EveryPointOfTheStoryIsJudgedAndKept) {
  commit(kMatrix);
  const auto sweeps = sweep();
  ASSERT_TRUE(sweeps) << to_string(sweeps.error());
  ASSERT_THAT(*sweeps, SizeIs(1));
  const SweepResult& result = sweeps->front();
  std::vector<std::string> outcomes;
  for (const PointResult& point : result.points) outcomes.push_back(point.point.name() + ": " + words(point.outcome));
  EXPECT_THAT(outcomes, ElementsAre("BLOCK_M=64 NUM_WARPS=4 STAGES=1: reference",
                                    "BLOCK_M=64 NUM_WARPS=8 STAGES=1: won", "BLOCK_M=128 NUM_WARPS=4 STAGES=1: broken",
                                    "BLOCK_M=128 NUM_WARPS=8 STAGES=1: did not compile",
                                    "BLOCK_M=80 NUM_WARPS=4 STAGES=1: misaligned address",
                                    "BLOCK_M=80 NUM_WARPS=8 STAGES=1: misaligned address"));
  EXPECT_EQ(result.best, "BLOCK_M=64 NUM_WARPS=8 STAGES=1");
  EXPECT_NEAR(result.points[1].ratio.value(), 0.8, 1e-9);
  ASSERT_THAT(result.constraints, SizeIs(1));
  EXPECT_THAT(result.constraints[0], HasSubstr("every BLOCK_M other than 64 fails (4 points: "));

  auto database = db::Database::open(repository_.folder() / ".git/kernelgate/local.db");
  ASSERT_TRUE(database);
  const auto runs = (*database)->read([](db::Connection& connection) -> Result<std::vector<db::Run>> {
    const auto kept = db::get_repository(connection, "sweep");
    if (!kept) return pass_on(kept);
    return db::list_runs(connection, {.repository = kept->id});
  });
  ASSERT_TRUE(runs);
  ASSERT_THAT(*runs, SizeIs(6));
  EXPECT_EQ(runs->front().branch, "-DBLOCK_M=80 -DNUM_WARPS=8 -DSTAGES=1");
  EXPECT_EQ(runs->front().source, "sweep");
  const auto attempts = (*database)->read([](db::Connection& connection) { return db::list_attempts(connection, {}); });
  ASSERT_TRUE(attempts);
  ASSERT_THAT(*attempts, SizeIs(6));
  EXPECT_EQ(attempts->back().outcome, AttemptOutcome::reference);
  EXPECT_EQ(attempts->back().point, "BLOCK_M=64 NUM_WARPS=4 STAGES=1");
  EXPECT_EQ(attempts->front().outcome, AttemptOutcome::misaligned_address);
}

TEST_F(SweepTest, AReferenceThatFailsGivesWayToTheFirstThatWorks) {
  commit(std::string(kMatrix) + "reference = { BLOCK_M = 80, NUM_WARPS = 4, STAGES = 1 }\n");
  const auto sweeps = sweep();
  ASSERT_TRUE(sweeps) << to_string(sweeps.error());
  EXPECT_EQ(sweeps->front().points[0].outcome, AttemptOutcome::misaligned_address);
  EXPECT_EQ(sweeps->front().points[1].outcome, AttemptOutcome::reference);
  EXPECT_EQ(sweeps->front().points[2].outcome, AttemptOutcome::won);
}

TEST_F(SweepTest, AxesOfTheCommandLineTakeTheManifestsPlace) {
  commit("");
  EXPECT_EQ(sweep().error().code, Errc::not_found);
  options_.run.suite = "Table";
  options_.axes = {{"BLOCK_M", {"64"}}, {"NUM_WARPS", {"4", "8"}}};
  const auto sweeps = sweep();
  ASSERT_TRUE(sweeps) << to_string(sweeps.error());
  EXPECT_EQ(sweeps->front().best, "BLOCK_M=64 NUM_WARPS=8");
}

TEST_F(SweepTest, AxesOfTheCommandLineAreHeldToTheManifestsRules) {
  commit("");
  options_.run.suite = "Chair";
  options_.axes = {{"BLOCK_M", {"64"}}};
  EXPECT_THAT(to_string(sweep().error()), HasSubstr("no suite is named 'Chair'"));
  options_.run.suite = "Table";
  options_.axes = {{"BLOCK_M", {"64", "8", "64"}}};
  EXPECT_THAT(to_string(sweep().error()), HasSubstr("axis 'BLOCK_M' names a value twice"));
}

TEST_F(SweepTest, WhatThisMachineLacksIsSaidBeforeAnythingIsBuilt) {
  std::string manifest = TableRepository::manifest("", "requires = { gpu = true, compute = \"99.0\" }\n") + kMatrix;
  manifest.insert(manifest.find("{source} {build}") + 16, " {defines}");
  repository_.commit({{"kernelgate.toml", manifest}, {"build.sh", kBuild}});
  const auto sweeps = sweep();
  ASSERT_FALSE(sweeps);
  EXPECT_EQ(sweeps.error().code, Errc::unsupported);
  EXPECT_THAT(to_string(sweeps.error()), HasSubstr("Table needs "));
}

TEST_F(SweepTest, LinesWithoutAPlaceForDefinesAreRefused) {
  commit(kMatrix, "");
  EXPECT_THAT(to_string(sweep().error()), HasSubstr("{defines}"));
}

TEST(SweepFormats, TellTheSame) {
  SweepResult result{.suite = "s", .commit = std::string(40, 'a'), .points = {}, .best = {}, .constraints = {}};
  result.points.push_back({.point = {{{"B", "64"}}}, .outcome = AttemptOutcome::reference, .text = {}, .ratio = 1});
  result.points.push_back(
      {.point = {{{"B", "80"}}}, .outcome = AttemptOutcome::broken, .text = "a|b", .failed = true, .ratio = {}});
  conclude_sweep(result);
  EXPECT_THAT(sweep_table({result}), HasSubstr("best: B=64\nB = 80 fails (1 point: broken)\n"));
  EXPECT_THAT(sweep_markdown({result}), HasSubstr("| B=80 | broken | – | a\\|b |"));
  const auto json = nlohmann::json::parse(sweep_json({result}));
  EXPECT_EQ(json["sweeps"][0]["points"][1]["outcome"], "broken");
  EXPECT_TRUE(json["sweeps"][0]["points"][1]["ratio"].is_null());
  EXPECT_EQ(json["sweeps"][0]["best"], "B=64");
}

}  // namespace sweep_test
}  // namespace kernelgate::local
