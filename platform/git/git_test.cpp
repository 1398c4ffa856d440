// SPDX-License-Identifier: Apache-2.0
#include "platform/git/git.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/test_repository.hpp"

namespace kernelgate {
namespace git_test {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class GitTest : public testing::Test {
 protected:
  TemporaryFolder folder{"git"};
  TestRepository repository{folder.path / "a repo with späces"};
};

TEST_F(GitTest, FactsOfACommit) {
  const auto first = repository.commit("Erster Commit: \"quoted\" é", {{"a", "1\n"}});
  const auto second = repository.commit("Second\n\nwith a body", {{"a", "2\n"}});
  const auto facts = repository.open().facts(second);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->subject, "Second");
  EXPECT_EQ(facts->author, "Ada Lovelace");
  EXPECT_THAT(facts->parents, ElementsAre(first));
  EXPECT_GT(facts->committed_at_s, 1600000000);
  EXPECT_EQ(facts->tree, *repository.open().tree_of(second));
  EXPECT_EQ(repository.open().facts(first)->subject, "Erster Commit: \"quoted\" é");
  EXPECT_TRUE(repository.open().facts(first)->parents.empty());
}

TEST_F(GitTest, ReadsTheHypothesisOfATrailer) {
  const auto with = repository.commit(
      "Try\n\nWhy so.\n\nHypothesis: fewer loads\n  hide the latency\nSigned-off-by: A <a@b>", {{"a", "1\n"}});
  const auto without = repository.commit("Hypothesis: a subject is no trailer", {{"a", "2\n"}});
  EXPECT_EQ(repository.open().facts(with)->hypothesis, "fewer loads hide the latency");
  EXPECT_EQ(repository.open().facts(without)->hypothesis, "");
}

TEST_F(GitTest, TheSamePatchHasTheSameIdOnAnotherBase) {
  const auto base = repository.commit("base", {{"a", "1\n2\n3\n"}, {"b", "x\n"}});
  const auto tried = repository.commit("try", {{"a", "1\n2\nthree\n"}});
  const auto back = repository.commit("back, and something else", {{"a", "1\n2\n3\n"}, {"b", "y\n"}});
  const auto again = repository.commit("try again", {{"a", "1\n2\nthree\n"}});
  const auto git = repository.open();
  const auto first = git.patch_id(base, tried);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->size(), 40U);
  EXPECT_EQ(*git.patch_id(back, again), *first);
  EXPECT_NE(*git.patch_id(base, back), *first);
  EXPECT_EQ(*git.patch_id(base, base), "");
}

TEST_F(GitTest, ResolvesNamesAndSaysWhatIsMissing) {
  const auto head = repository.commit("one", {{"a", "1"}});
  const auto git = repository.open();
  EXPECT_EQ(*git.resolve("main"), head);
  EXPECT_EQ(*git.resolve(head.str().substr(0, 8)), head);
  const auto missing = git.resolve(std::string(40, 'a'));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::not_found);
  EXPECT_THAT(missing.error().fix, HasSubstr("force-pushed"));
  EXPECT_EQ(git.resolve("no-such-branch").error().code, Errc::not_found);
  EXPECT_EQ(git.resolve("--output=/tmp/x").error().code, Errc::invalid);
  EXPECT_EQ(git.resolve("").error().code, Errc::invalid);
  EXPECT_FALSE(git.has_commit(*CommitHash::parse(std::string(40, 'b'))));
  EXPECT_EQ(git.facts(*CommitHash::parse(std::string(40, 'b'))).error().code, Errc::not_found);
}

TEST_F(GitTest, ReadsFilesAndTreesWithAnyName) {
  const auto head = repository.commit(
      "files",
      {{"kernelgate.toml", "schema = 1\n"}, {"dir/naïve \"name\"\t*.cu", std::string("a\0b", 3)}, {"dir/plain", "x"}});
  const auto git = repository.open();
  EXPECT_EQ(*git.show_file(head, "kernelgate.toml"), "schema = 1\n");
  EXPECT_EQ(*git.show_file(head, "dir/naïve \"name\"\t*.cu"), std::string("a\0b", 3));
  EXPECT_EQ(*git.show_file(head, "dir/*"), std::nullopt);
  EXPECT_EQ(*git.show_file(head, "dir"), std::nullopt);
  EXPECT_EQ(*git.show_file(head, "missing"), std::nullopt);
  const auto entries = git.list_tree(head);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 3U);
  EXPECT_EQ((*entries)[0].path, "dir/naïve \"name\"\t*.cu");
  EXPECT_EQ((*entries)[1].mode, "100644");
  EXPECT_EQ(*git.blob((*entries)[1].object), "x");
}

TEST_F(GitTest, FirstParentsAndMergeBase) {
  const auto a = repository.commit("a");
  repository.git({"checkout", "-q", "-b", "side"});
  const auto s = repository.commit("s");
  repository.git({"checkout", "-q", "main"});
  const auto b = repository.commit("b");
  repository.git({"merge", "-q", "--no-ff", "-m", "m", "side"});
  const auto m = repository.head();
  const auto git = repository.open();
  EXPECT_THAT(*git.first_parents(m, 10), ElementsAre(m, b, a));
  EXPECT_THAT(*git.first_parents(m, 2), ElementsAre(m, b));
  EXPECT_EQ(*git.merge_base(b, s), a);
  repository.git({"checkout", "-q", "--orphan", "other"});
  const auto lone = repository.commit("lone");
  EXPECT_EQ(*git.merge_base(lone, m), std::nullopt);
}

TEST_F(GitTest, VariablesOfACallingHookDoNotMislead) {
  const auto head = repository.commit("one");
  setenv("GIT_DIR", "/nonexistent", 1);
  setenv("GIT_INDEX_FILE", "/nonexistent/index", 1);
  const auto found = repository.open().resolve("HEAD");
  unsetenv("GIT_DIR");
  unsetenv("GIT_INDEX_FILE");
  EXPECT_EQ(*found, head);
}

TEST_F(GitTest, OpensWorkTreesSubfoldersAndBareRepositories) {
  repository.commit("one", {{"sub/file", "x"}});
  const auto sub = Git::open(repository.path / "sub", GitConfig::users);
  ASSERT_TRUE(sub) << to_string(sub.error());
  EXPECT_TRUE(fs::equivalent(*sub->work_tree(), repository.path));
  repository.git({"clone", "-q", "--bare", ".", (folder.path / "bare.git").string()});
  const auto bare = Git::open(folder.path / "bare.git", GitConfig::isolated);
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->work_tree().error().code, Errc::unsupported);
  EXPECT_EQ(Git::open(folder.path, GitConfig::isolated).error().code, Errc::not_found);
  EXPECT_EQ(Git::open(folder.path / "missing", GitConfig::isolated).error().code, Errc::not_found);
}

TEST_F(GitTest, ASnapshotHoldsStagedChangedAndUntrackedFilesAndTouchesNothing) {
  const auto head =
      repository.commit("one", {{"kept", "1"}, {"changed", "1"}, {"removed", "1"}, {".gitignore", "out/\n"}});
  const auto git = Git::open(repository.path, GitConfig::users);
  ASSERT_TRUE(git);
  EXPECT_EQ(*snapshot_work_tree(*git), head);  // nothing changed: HEAD itself

  repository.write("changed", "2");
  repository.write("staged", "2");
  repository.git({"add", "staged"});
  repository.write("dir/untracked é", "2");
  repository.write("out/ignored", "2");
  fs::remove(repository.path / "removed");
  const auto status = repository.git({"status", "--porcelain"});
  const auto taken = snapshot_work_tree(*git);
  ASSERT_TRUE(taken) << to_string(taken.error());
  std::vector<std::string> paths;
  const auto entries = git->list_tree(*taken);
  for (const auto& entry : *entries) paths.push_back(entry.path);
  EXPECT_THAT(paths, ElementsAre(".gitignore", "changed", "dir/untracked é", "kept", "staged"));
  EXPECT_EQ(*git->show_file(*taken, "changed"), "2");
  EXPECT_THAT(git->facts(*taken)->parents, ElementsAre(head));
  EXPECT_EQ(*snapshot_work_tree(*git), *taken);
  EXPECT_EQ(repository.git({"status", "--porcelain"}), status);
  EXPECT_EQ(repository.head(), head);
}

TEST_F(GitTest, ASnapshotOfARepositoryWithoutCommitsWorks) {
  repository.write("file", "x");
  const auto git = Git::open(repository.path, GitConfig::users);
  const auto taken = snapshot_work_tree(*git);
  ASSERT_TRUE(taken) << to_string(taken.error());
  EXPECT_TRUE(git->facts(*taken)->parents.empty());
}

TEST_F(GitTest, OutputOverTheLimitAndErrorsAreNamed) {
  const auto head = repository.commit("big", {{"big", std::string(100000, 'x')}});
  const auto git = repository.open();
  EXPECT_EQ(git.call({.args = {"show", head.str() + ":big"}, .output_max = Bytes{1000}}).error().code, Errc::too_large);
  EXPECT_THAT(git.call({.args = {"no-such-command"}}).error().what, HasSubstr("not a git command"));
  const auto failed = git.call({.args = {"-C", "/", "-c", "a.b=c", "cat-file", "blob", "nothing"}});
  EXPECT_THAT(failed.error().what, testing::StartsWith("git cat-file: "));
}

}  // namespace git_test
}  // namespace kernelgate
