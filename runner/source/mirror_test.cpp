// SPDX-License-Identifier: Apache-2.0
#include "runner/source/mirror.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include "runner/sandbox/ownership.hpp"
#include "tests/support/test_repository.hpp"

namespace kernelgate {
namespace mirror_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

class MirrorTest : public testing::Test {
 protected:
  TemporaryFolder folder{"mirror"};
  TestRepository repository{folder.path / "source with späces"};
  MirrorPool pool = *MirrorPool::open(folder.path / "mirrors");
  std::string url = repository.path.string();
};

TEST_F(MirrorTest, FetchesBranchesTagsAndLaterCommits) {
  const auto first = repository.commit("first", {{"a", "1"}});
  repository.git({"tag", "v1"});
  auto git = pool.fetch(url, first);
  ASSERT_TRUE(git) << to_string(git.error());
  EXPECT_EQ(*git->resolve("main"), first);
  EXPECT_EQ(*git->resolve("v1"), first);
  const auto second = repository.commit("second", {{"a", "2"}});
  EXPECT_FALSE(git->has_commit(second));
  EXPECT_TRUE(pool.fetch(url, second));
  EXPECT_EQ(*git->resolve("main"), second);
  EXPECT_TRUE(pool.fetch("file://" + url, second));
}

// A commit that is too large must not keep others from being fetched.
TEST_F(MirrorTest, AMirrorOverItsSizeIsThrownAway) {
  const auto honest = repository.commit("honest", {{"a", "1"}});
  std::string noise(6u << 20, ' ');
  for (std::mt19937 random(1); char& c : noise) c = static_cast<char>(random());
  repository.git({"checkout", "-q", "-b", "topic"});
  const auto large = repository.commit("large", {{"noise", noise}});
  pool = *MirrorPool::open(folder.path / "small", Bytes{4u << 20});
  const auto refused = pool.fetch(url, large);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::too_large);
  EXPECT_THAT(refused.error().what, HasSubstr("its mirror takes more than 4 MiB of disk"));
  repository.git({"checkout", "-q", "main"});
  repository.git({"branch", "-D", "topic"});
  EXPECT_TRUE(pool.fetch(url, honest));
}

TEST_F(MirrorTest, RewritesOfTheRunnersGitAreObeyedButForForks) {
  const auto commit = repository.commit("first", {{"a", "1"}});
  fs::create_directories(folder.path / "home" / "git");
  std::ofstream(folder.path / "home" / "git" / "config")
      << "[url \"" << url << "\"]\n\tinsteadOf = https://elsewhere.invalid/repository\n[core]\n\tsshCommand = false\n";
  setenv("XDG_CONFIG_HOME", (folder.path / "home").c_str(), 1);
  const auto own = MirrorPool::open(folder.path / "own");
  const auto forks = MirrorPool::open(folder.path / "forks", limits::kMirrorMax, UrlRewrites::ignored);
  unsetenv("XDG_CONFIG_HOME");
  ASSERT_TRUE(own && forks);
  const auto found = own->fetch("https://elsewhere.invalid/repository", commit);
  EXPECT_TRUE(found) << to_string(found.error());
  EXPECT_FALSE(forks->fetch("https://elsewhere.invalid/repository", commit));
  std::ifstream copied(folder.path / "own" / "gitconfig");
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(copied), {}), testing::Not(HasSubstr("sshCommand")));
}

TEST_F(MirrorTest, ACommitOnNoBranchIsFetchedByName) {
  repository.commit("first", {{"a", "1"}});
  repository.write("a", "2");
  const auto hidden = snapshot_work_tree(*Git::open(repository.path, GitConfig::users));
  ASSERT_TRUE(hidden);
  auto git = pool.fetch(url, *hidden);
  ASSERT_TRUE(git) << to_string(git.error());
  EXPECT_EQ(*git->show_file(*hidden, "a"), "2");
}

TEST_F(MirrorTest, AForcePushedAwayCommitStays) {
  repository.commit("first", {{"a", "1"}});
  const auto gone = repository.commit("gone", {{"a", "2"}});
  ASSERT_TRUE(pool.fetch(url, gone));
  repository.git({"reset", "-q", "--hard", "HEAD~1"});
  repository.git({"reflog", "expire", "--expire=now", "--all"});
  repository.git({"gc", "-q", "--prune=now"});
  auto git = pool.refresh(url);
  ASSERT_TRUE(git) << to_string(git.error());
  EXPECT_NE(*git->resolve("main"), gone);
  EXPECT_TRUE(git->has_commit(gone));
  EXPECT_TRUE(pool.fetch(url, gone));
}

TEST_F(MirrorTest, ACommitThatDoesNotExistSaysWhatToDo) {
  repository.commit("first");
  const auto missing = *CommitHash::parse(std::string(40, 'a'));
  const auto git = pool.fetch(url, missing);
  ASSERT_FALSE(git);
  EXPECT_EQ(git.error().code, Errc::not_found);
  EXPECT_THAT(git.error().fix, HasSubstr("--stage"));
  const auto mirror = pool.refresh(url);
  EXPECT_FALSE(pool.try_fetch_commit(*mirror, url, missing));
}

TEST_F(MirrorTest, ASourceThatIsAwayIsUnavailable) {
  const auto commit = *CommitHash::parse(std::string(40, 'a'));
  EXPECT_EQ(pool.fetch((folder.path / "nowhere").string(), commit).error().code, Errc::unavailable);
  EXPECT_EQ(pool.fetch("https://127.0.0.1:1/x.git", commit).error().code, Errc::unavailable);
}

TEST_F(MirrorTest, ARewrittenBranchAndARenamedOneFollow) {
  repository.commit("first");
  repository.git({"branch", "topic"});
  ASSERT_TRUE(pool.refresh(url));
  repository.git({"branch", "-D", "topic"});
  repository.git({"branch", "topic/deeper"});  // collides with the old name
  repository.git({"commit", "-q", "--amend", "--allow-empty", "-m", "rewritten"});
  auto git = pool.refresh(url);
  ASSERT_TRUE(git) << to_string(git.error());
  EXPECT_EQ(*git->resolve("main"), repository.head());
  EXPECT_TRUE(git->resolve("topic/deeper"));
}

TEST_F(MirrorTest, AShallowSourceWorksForWhatItHas) {
  repository.commit("first", {{"a", "1"}});
  const auto second = repository.commit("second", {{"a", "2"}});
  repository.git({"clone", "-q", "--depth=1", "file://" + url, (folder.path / "shallow").string()});
  auto git = pool.fetch((folder.path / "shallow").string(), second);
  ASSERT_TRUE(git) << to_string(git.error());
  EXPECT_EQ(*git->show_file(second, "a"), "2");
  EXPECT_TRUE(*git->is_shallow_at(second));
}

TEST_F(MirrorTest, HooksOfTheSourceDoNotRun) {
  const auto head = repository.commit("first");
  const auto trap = folder.path / "trap";
  repository.write(".git/hooks/reference-transaction", "#!/bin/sh\ntouch '" + trap.string() + "'\n");
  fs::permissions(repository.path / ".git/hooks/reference-transaction", fs::perms::owner_all);
  ASSERT_TRUE(pool.fetch(url, head));
  EXPECT_FALSE(fs::exists(trap));
}

TEST_F(MirrorTest, ARepositoryOfAnotherUserIsReadable) {
  const auto head = repository.commit("first");
  const bool root = geteuid() == 0;  // nobody else can give files away
  ASSERT_TRUE(!root || give_tree_to(repository.path, 64001, 64001));
  const auto git = pool.fetch(url, head);
  EXPECT_TRUE(git) << to_string(git.error());
}

TEST_F(MirrorTest, AHalfMadeMirrorIsMadeAnew) {
  const auto head = repository.commit("first");
  ASSERT_TRUE(pool.fetch(url, head));
  for (const auto& entry : fs::directory_iterator(folder.path / "mirrors"))
    if (entry.is_directory()) fs::remove_all(entry.path() / "refs");
  EXPECT_TRUE(pool.fetch(url, head));
}

TEST_F(MirrorTest, ManyThreadsMayFetchAtOnce) {
  const auto head = repository.commit("first", {{"a", "1"}});
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { EXPECT_TRUE(pool.fetch(url, head)); });
}

TEST(GitUrl, OnlyTheAllowListPasses) {
  for (const char* good : {"https://example.org/a.git", "ssh://git@example.org/a.git", "git@example.org:a/b.git",
                           "/srv/git/with spaces/é.git", "file:///srv/a.git"})
    EXPECT_TRUE(check_git_url(good)) << good;
  for (const char* bad :
       {"", "ext::sh -c touch% /tmp/x", "--upload-pack=touch /tmp/x", "http://example.org/a", "git://x/a",
        "relative/path", "file://host/a", "ssh://-oProxyCommand=x/a", "fd::3", "a@b::c", "https://a\nb"})
    EXPECT_FALSE(check_git_url(bad)) << bad;
}

TEST(GitUrl, SubmodulesMayNotReachOtherPlaces) {
  EXPECT_TRUE(check_submodule_url("https://example.org/a.git", "https://other.org/b.git"));
  EXPECT_TRUE(check_submodule_url("git@example.org:a.git", "ssh://git@example.org/b.git"));
  EXPECT_TRUE(check_submodule_url("/srv/a.git", "/srv/b.git"));
  EXPECT_FALSE(check_submodule_url("https://example.org/a.git", "/srv/private.git"));
  EXPECT_FALSE(check_submodule_url("https://example.org/a.git", "git@internal:private.git"));
  EXPECT_FALSE(check_submodule_url("/srv/a.git", "ssh://internal/b.git"));
  const std::vector<std::string> hosts{"github.com"};
  EXPECT_TRUE(check_untrusted_submodule_url(hosts, "https://github.com/a/b.git"));
  for (const char* url :
       {"/srv/private.git", "file:///srv/private.git", "git@github.com:a/b.git", "ssh://git@github.com/a/b.git",
        "https://user:word@github.com/a/b.git", "https://github.com:8443/a", "https://10.0.0.1/a.git",
        "https://github.com.evil.org/a", "https://localhost/a.git", "https://", "https:/github.com/a"})
    EXPECT_FALSE(check_untrusted_submodule_url(hosts, url)) << url;
}

TEST(GitUrl, RelativeSubmodulesAreResolvedAgainstTheirParent) {
  EXPECT_EQ(resolve_submodule_url("https://example.org/g/a.git", "../b.git"), "https://example.org/g/b.git");
  EXPECT_EQ(resolve_submodule_url("git@example.org:a.git", "../b.git"), "git@example.org:b.git");
  EXPECT_EQ(resolve_submodule_url("/srv/a/", "./sub"), "/srv/a/sub");
  EXPECT_EQ(resolve_submodule_url("/srv/g/a", "../../h/b"), "/srv/h/b");
  EXPECT_EQ(resolve_submodule_url("/srv/a", "https://example.org/b"), "https://example.org/b");
}

}  // namespace mirror_test
}  // namespace kernelgate
