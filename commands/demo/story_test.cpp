// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/story.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "commands/demo/git_call.hpp"
#include "commands/demo/replay_files.hpp"

namespace kernelgate::demo {
namespace story_test {
namespace fs = std::filesystem;

class StoryTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/kernelgate-story-XXXXXX";
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

TEST_F(StoryTest, TellsElevenStepsWithTheirOutcomes) {
  const auto story = load_story("cpu");
  ASSERT_TRUE(story) << to_string(story.error());
  std::string outcomes;
  for (const Step& step : story->steps) {
    outcomes += (step.number > 1 ? " " : "") + step.expected;
    EXPECT_LE(step.title.size(), 50u) << step.title;
  }
  EXPECT_EQ(outcomes,
            "added improved improved regressed broken broken crashed timed_out build_failed identical regressed");
  EXPECT_EQ(story->steps.at(5).same_failure_as, 5);
}

TEST_F(StoryTest, EveryStepAppliesAndAttemptsBranchOffTheGoodCommit) {
  const auto story = load_story("cpu");
  const auto commits = write_story(*story, folder_ / "one");
  ASSERT_TRUE(commits) << to_string(commits.error());
  ASSERT_EQ(commits->size(), 11u);
  EXPECT_EQ(git_says({"rev-parse", "main"}), commits->at(2).str() + "\n");
  for (std::size_t attempt = 3; attempt < 11; ++attempt) {
    EXPECT_EQ(git_says({"rev-parse", commits->at(attempt).str() + "^"}), commits->at(2).str() + "\n");
    EXPECT_EQ(
        git_says({"log", "-1", "--format=%(trailers:key=Hypothesis,valueonly,separator=)", commits->at(attempt).str()}),
        story->steps.at(attempt).hypothesis + "\n");
    EXPECT_EQ(git_says({"diff", "--name-only", "main", commits->at(attempt).str()}),
              "kernels/bsr_gemm/cpu/vectorized.cpp\n");
  }
  std::ifstream kept(folder_ / "one" / "kernels" / "bsr_gemm" / "cpu" / "vectorized.cpp");
  std::stringstream text;
  text << kept.rdbuf();
  EXPECT_EQ(text.str(), replay::find("cpu", "kernels/bsr_gemm/cpu/vectorized.cpp"));
}

TEST_F(StoryTest, TheSoftmaxReplayAppliesTooAndHasEveryEnd) {
  const auto story = load_story("softmax");
  ASSERT_TRUE(story) << to_string(story.error());
  const auto commits = write_story(*story, folder_ / "one");
  ASSERT_TRUE(commits) << to_string(commits.error());
  ASSERT_EQ(commits->size(), story->steps.size());
  std::map<std::string, std::string> changed;  // outcome: files of the last attempt that ends so
  for (std::size_t step = 2; step < commits->size(); ++step)
    changed[story->steps[step].expected] = git_says({"diff", "--name-only", "main", commits->at(step).str()});
  EXPECT_EQ(changed.at("identical"), "README.md\n");
  for (const char* outcome : {"regressed", "broken", "crashed", "timed_out", "invalid"})
    EXPECT_EQ(changed.at(outcome), "kernels/softmax/softmax.cu\n") << outcome;
  EXPECT_EQ(changed.at("build_failed"), "kernels/softmax/softmax_config.hpp\n");
}

TEST_F(StoryTest, AttemptsOfTheCudaReplayBranchOffWhatMainWasByThen) {
  const auto story = load_story("cuda");
  ASSERT_TRUE(story) << to_string(story.error());
  const auto commits = write_story(*story, folder_ / "one");
  ASSERT_TRUE(commits) << to_string(commits.error());
  ASSERT_EQ(commits->size(), story->steps.size());
  std::string main;  // its tip
  for (std::size_t i = 0; i < commits->size(); ++i) {
    const std::string commit = commits->at(i).str();
    if (i > 0) {
      EXPECT_EQ(git_says({"rev-parse", commit + "^"}), main) << story->steps[i].title;
    }
    if (story->steps[i].branch == "main") main = commit + "\n";
  }
  EXPECT_EQ(git_says({"rev-parse", "main"}), main);
  EXPECT_EQ(story->steps.at(4).same_failure_as, 4);
  EXPECT_EQ(story->steps.at(5).same_failure_as, 4);
}

TEST_F(StoryTest, HashesAreTheSameEachTime) {
  const auto story = load_story("cpu");
  const auto one = write_story(*story, folder_ / "one"), two = write_story(*story, folder_ / "two");
  ASSERT_TRUE(one && two);
  EXPECT_EQ(*one, *two);
}

TEST_F(StoryTest, AFolderInUseIsLeftAlone) {
  std::ofstream(folder_ / "kept") << "mine";
  const auto refused = write_story(*load_story("cpu"), folder_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::conflict);
}

}  // namespace story_test
}  // namespace kernelgate::demo
