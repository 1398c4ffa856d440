// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/scenario.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "commands/demo/git_call.hpp"
#include "commands/demo/replay_files.hpp"

namespace kernelgate::demo {
namespace story_test {
namespace fs = std::filesystem;

class ScenarioTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/kernelgate-scenario-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string git_says(std::vector<std::string> args) const {
    const auto said = git({.folder = folder_ / "one", .args = std::move(args)});
    return said ? *said : to_string(said.error());
  }
  fs::path folder_;
};

TEST_F(ScenarioTest, TellsElevenStepsWithTheirOutcomes) {
  const auto scenario = load_scenario("cpu");
  ASSERT_TRUE(scenario) << to_string(scenario.error());
  std::string outcomes;
  for (const Step& step : scenario->steps) {
    outcomes += (step.number > 1 ? " " : "") + step.expected;
    EXPECT_LE(step.title.size(), 50u) << step.title;
  }
  EXPECT_EQ(outcomes,
            "added improved improved regressed broken broken crashed timed_out build_failed identical regressed");
  EXPECT_EQ(scenario->steps.at(5).same_failure_as, 5);
}

TEST_F(ScenarioTest, EveryStepAppliesAndAttemptsBranchOffTheGoodCommit) {
  const auto scenario = load_scenario("cpu");
  const auto commits = write_scenario(*scenario, folder_ / "one");
  ASSERT_TRUE(commits) << to_string(commits.error());
  ASSERT_EQ(commits->size(), 11u);
  EXPECT_EQ(git_says({"rev-parse", "main"}), commits->at(2).str() + "\n");
  for (std::size_t attempt = 3; attempt < 11; ++attempt) {
    EXPECT_EQ(git_says({"rev-parse", commits->at(attempt).str() + "^"}), commits->at(2).str() + "\n");
    EXPECT_EQ(
        git_says({"log", "-1", "--format=%(trailers:key=Hypothesis,valueonly,separator=)", commits->at(attempt).str()}),
        scenario->steps.at(attempt).hypothesis + "\n");
    EXPECT_EQ(git_says({"diff", "--name-only", "main", commits->at(attempt).str()}),
              "kernels/bsr_gemm/cpu/vectorized.cpp\n");
  }
  std::ifstream kept(folder_ / "one" / "kernels" / "bsr_gemm" / "cpu" / "vectorized.cpp");
  std::stringstream text;
  text << kept.rdbuf();
  EXPECT_EQ(text.str(), replay::find("cpu", "kernels/bsr_gemm/cpu/vectorized.cpp"));
}

TEST_F(ScenarioTest, TheSoftmaxReplayAppliesTooAndHasEveryEnd) {
  const auto scenario = load_scenario("softmax");
  ASSERT_TRUE(scenario) << to_string(scenario.error());
  const auto commits = write_scenario(*scenario, folder_ / "one");
  ASSERT_TRUE(commits) << to_string(commits.error());
  ASSERT_EQ(commits->size(), scenario->steps.size());
  std::map<std::string, std::string> changed;  // outcome: files of the last attempt that ends so
  for (std::size_t step = 2; step < commits->size(); ++step)
    changed[scenario->steps[step].expected] = git_says({"diff", "--name-only", "main", commits->at(step).str()});
  EXPECT_EQ(changed.at("identical"), "README.md\n");
  for (const char* outcome : {"regressed", "broken", "crashed", "timed_out", "invalid"})
    EXPECT_EQ(changed.at(outcome), "kernels/softmax/softmax.cu\n") << outcome;
  EXPECT_EQ(changed.at("build_failed"), "kernels/softmax/softmax_config.hpp\n");
}

TEST_F(ScenarioTest, AttemptsOfTheCudaReplayBranchOffWhatMainWasByThen) {
  const auto scenario = load_scenario("cuda");
  ASSERT_TRUE(scenario) << to_string(scenario.error());
  const auto commits = write_scenario(*scenario, folder_ / "one");
  ASSERT_TRUE(commits) << to_string(commits.error());
  ASSERT_EQ(commits->size(), scenario->steps.size());
  std::string main;  // its tip
  for (std::size_t i = 0; i < commits->size(); ++i) {
    const std::string commit = commits->at(i).str();
    if (i > 0) {
      EXPECT_EQ(git_says({"rev-parse", commit + "^"}), main) << scenario->steps[i].title;
    }
    if (scenario->steps[i].branch == "main") main = commit + "\n";
  }
  EXPECT_EQ(git_says({"rev-parse", "main"}), main);
  EXPECT_EQ(scenario->steps.at(4).same_failure_as, 4);
  EXPECT_EQ(scenario->steps.at(5).same_failure_as, 4);
}

TEST_F(ScenarioTest, HashesAreTheSameEachTime) {
  const auto scenario = load_scenario("cpu");
  const auto one = write_scenario(*scenario, folder_ / "one"), two = write_scenario(*scenario, folder_ / "two");
  ASSERT_TRUE(one && two);
  EXPECT_EQ(*one, *two);
}

TEST_F(ScenarioTest, AFolderInUseIsLeftAlone) {
  std::ofstream(folder_ / "kept") << "mine";
  const auto refused = write_scenario(*load_scenario("cpu"), folder_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::conflict);
}

}  // namespace story_test
}  // namespace kernelgate::demo
