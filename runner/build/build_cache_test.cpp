// SPDX-License-Identifier: Apache-2.0
#include "runner/build/build_cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <set>
#include <thread>

#include "platform/process/command_line.hpp"
#include "runner/build/entry.hpp"
#include "runner/build/identity.hpp"
#include "tests/support/build_fixture.hpp"

namespace kernelgate {
namespace build_cache_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST_F(BuildCacheTest, BuildsOnceAndRunsSealed) {
  request.recipe.configure = "cmake -S {source} -B {build} -G Ninja -DCMAKE_BUILD_TYPE=Release";
  request.recipe.build = "cmake --build {build}";
  const auto commit = commit_k("int k(void) { return 7; }\n");
  const auto first = build(commit);
  ASSERT_TRUE(first) << to_string(first.error());
  ASSERT_TRUE(first->ok) << first->log;
  EXPECT_FALSE(first->from_cache);
  EXPECT_THAT(first->log, HasSubstr("$ cmake --build /work/build"));
  EXPECT_EQ(run(*first), "7\n");
  EXPECT_EQ(fs::status(first->build / "bench").permissions() &
                (fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write),
            fs::perms::none);
  const auto second = build(commit);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->from_cache);
  EXPECT_EQ(second->build, first->build);
  EXPECT_EQ(second->log, first->log);
}

TEST_F(BuildCacheTest, ACommentIsAnotherBuildOfTheIdenticalProgram) {
  const auto base = build(commit_k("int k(void) { return 7; }\n"));
  const auto head = build(commit_k("int k(void) { return 7; /* seven */ }\n"));
  const auto other = build(commit_k("int k(void) { return 8; }\n"));
  ASSERT_TRUE(base && head && other);
  EXPECT_NE(base->key, head->key);
  const auto identity = *suite_identity(base->build, "{build}/bench");
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity, *suite_identity(head->build, "{build}/bench"));
  EXPECT_NE(identity, *suite_identity(other->build, "{build}/bench"));
}

TEST_F(BuildCacheTest, ABuildThatTakesTooMuchDiskIsEndedAndFailsTheCommit) {
  request.recipe.timeout = std::chrono::seconds(30);
  request.recipe.build = "while :; do head -c 1000000 /dev/zero >> {build}/$((n % 7)); n=$((n + 1)); sleep 0.01; done";
  cache = *BuildCache::open({.root = folder.path / "small", .tree_max = Bytes{20u << 20}}, sandbox);
  const auto commit = commit_k("int k(void) { return 7; }\n");
  const auto made = build(commit);
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_FALSE(made->ok);
  EXPECT_EQ(made->failed_stage, "build");
  EXPECT_THAT(made->log, HasSubstr("build failed: ended: its files take more than 20 MiB of disk"));
  EXPECT_TRUE(made->may_end_otherwise) << "another runner may allow more";
}

TEST_F(BuildCacheTest, ABuildThatTakesTooMuchMemoryFailsTheCommit) {
  request.recipe.build = "python3 -c 'held = bytearray(300 << 20); import time; time.sleep(3)' || exit 0";
  const Sandbox walled = *Sandbox::open({.memory_max = Bytes{200u << 20}});
  cache = *BuildCache::open({.root = folder.path / "small"}, walled);
  const auto made = build(commit_k("int k(void) { return 7; }\n"));
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_FALSE(made->ok);
  EXPECT_THAT(made->log, HasSubstr("build failed: ended: out of memory: it used "));
  EXPECT_TRUE(made->may_end_otherwise);
}

// The build sees every file, so a file outside `inputs` must not leave its failure for commits without it.
TEST_F(BuildCacheTest, FilesThatAreNoInputsAreAnotherBuildOfTheSameInputs) {
  request.recipe.inputs = {"*.c", "CMakeLists.txt"};
  request.recipe.build = "test ! -e {source}/poison && " + request.recipe.build;
  const auto honest = commit_k("int k(void) { return 7; }\n");
  const auto words = repository.commit("text", {{"README", "words"}});
  const auto bad = build(repository.commit("poison", {{"poison", "1"}}));
  const auto good = build(honest), text = build(words);
  ASSERT_TRUE(bad && good && text);
  EXPECT_FALSE(bad->ok);
  EXPECT_TRUE(good->ok) << good->log;
  EXPECT_EQ(inputs_of(honest), inputs_of(words));
  EXPECT_NE(good->key, text->key);
}

TEST_F(BuildCacheTest, AttributesAndModulesAlwaysCountAsInputs) {
  request.recipe.inputs = {"*.c"};
  const auto base = commit_k("int k(void) { return 7; }\n");
  const auto head = repository.commit("attributes", {{"sub/.gitattributes", "*.c eol=crlf\n"}});
  EXPECT_NE(inputs_of(base), inputs_of(head));
}

TEST_F(BuildCacheTest, RecipeTrustAndTestbedArePartOfTheKey) {
  const auto commit = commit_k("int k(void) { return 7; }\n");
  const auto plain = build(commit)->key;
  request.recipe.build += " && true";
  const auto longer = build(commit)->key;
  request.trust = "fork";
  const auto fork = build(commit)->key;
  config.testbed = "CUDA 13.0";
  cache = *BuildCache::open(config, sandbox);
  const std::set<std::string> keys{plain, longer, fork, build(commit)->key};
  EXPECT_EQ(keys.size(), 4U);
}

TEST_F(BuildCacheTest, ACommitThatDoesNotBuildIsRemembered) {
  const auto commit = commit_k("int k(void) { return 7 }\n");
  const auto first = build(commit);
  ASSERT_TRUE(first) << to_string(first.error());
  EXPECT_FALSE(first->ok);
  EXPECT_EQ(first->failed_stage, "build");
  EXPECT_THAT(first->log, HasSubstr("error: expected"));
  const auto second = build(commit);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->from_cache);
  EXPECT_FALSE(second->ok);
  EXPECT_EQ(second->log, first->log);
}

TEST_F(BuildCacheTest, WhatAnotherTryMightBuildIsNotRemembered) {
  const auto commit = repository.commit("script", {{"go.sh", "sleep 1000\n"}});
  request.recipe.build = "sh {source}/go.sh";
  request.recipe.timeout = std::chrono::seconds(1);
  for (int i = 0; i < 2; ++i) {
    const auto late = build(commit);
    ASSERT_TRUE(late) << to_string(late.error());
    EXPECT_FALSE(late->ok);
    EXPECT_TRUE(late->may_end_otherwise);
    EXPECT_THAT(late->log, HasSubstr("timed out"));
  }
  request.recipe.build = "no-such-tool";
  EXPECT_TRUE(build(commit)->may_end_otherwise);

  std::stop_source stop;
  std::jthread later([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.request_stop();
  });
  request.recipe.build = "sh {source}/go.sh";
  request.recipe.timeout = std::chrono::seconds(100);
  EXPECT_EQ(build(commit, stop.get_token()).error().code, Errc::unavailable);
  EXPECT_TRUE(fs::is_empty(folder.path / "cache/entries"));
}

TEST_F(BuildCacheTest, WithoutASubmoduleItIsAnotherBuildAndAFailureIsNotRemembered) {
  const TestRepository other(folder.path / "other");
  other.commit("other", {{"o.h", "int o;\n"}});
  commit_k("int k(void) { return 7; }\n");
  repository.git({"submodule", "--quiet", "add", "../other", "other"});
  const auto head = repository.commit("with other");
  fs::rename(folder.path / "other", folder.path / "moved");
  const auto without = build(head);
  ASSERT_TRUE(without) << to_string(without.error());
  EXPECT_TRUE(without->ok);
  EXPECT_THAT(without->left_out, testing::ElementsAre("other"));
  EXPECT_THAT(without->log, HasSubstr("left out: submodule other"));
  request.recipe.build = "test -e {source}/other/o.h && " + request.recipe.build;
  const auto failed = build(head);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Errc::unavailable) << "the commit is not to blame";
  fs::rename(folder.path / "moved", folder.path / "other");
  const auto whole = build(head);
  ASSERT_TRUE(whole) << to_string(whole.error());
  EXPECT_TRUE(whole->ok) << whole->log;
  EXPECT_THAT(whole->left_out, testing::IsEmpty());
}

TEST_F(BuildCacheTest, TheSettingReachesTheBuildAndIsPartOfTheKey) {
  request.recipe.build = "printf '%s in %s' \"$KG_X\" \"$PWD\" >{build}/said && tool >>{build}/said";
  const auto commit = repository.commit("tool", {{"tools/tool", "#!/bin/sh\necho ' and a tool'\n"}});
  fs::permissions(repository.path / "tools/tool", fs::perms::owner_all);
  const auto head = repository.commit("mode");
  const auto missing = build(head);
  ASSERT_TRUE(missing);
  EXPECT_TRUE(missing->tool_missing && missing->may_end_otherwise) << missing->log;
  EXPECT_THAT(missing->log, HasSubstr("--toolchain DIR"));
  request.recipe.setting = {"{build}", {{"KG_X", "set for {source}"}}, {"{source}/tools"}};
  const auto made = build(head);
  ASSERT_TRUE(made && made->ok) << made->log;
  EXPECT_EQ(build_detail::read_text(made->build / "said"), "set for /work/source in /work/build and a tool\n");
  request.recipe.setting.env[0].second = "other";
  EXPECT_NE(build(head)->key, made->key);
  EXPECT_NE(commit, head);
}

TEST_F(BuildCacheTest, APathTooLongForAFileFailsTheCommit) {
  const auto made = build(repository.commit("long", {{std::string(250, 'a') + "/b", "1"}, {"c", "1"}}));
  ASSERT_TRUE(made) << to_string(made.error());
  git = repository.open();
  const auto blob = git->call({.args = {"hash-object", "-w", "--stdin"}, .stdin_text = "x"});
  ASSERT_TRUE(blob);
  std::string path;
  for (int i = 0; i < 30; ++i) path += std::string(200, 'd') + "/";
  const auto index = folder.path / "index";
  const std::vector<std::pair<std::string, std::string>> env{{"GIT_INDEX_FILE", index.string()}};
  ASSERT_TRUE(
      git->call({.args = {"update-index", "--add", "--cacheinfo", "100644," + blob->substr(0, 40) + "," + path + "x"},
                 .env = env}));
  const auto tree = git->call({.args = {"write-tree"}, .env = env});
  ASSERT_TRUE(tree) << to_string(tree.error());
  const auto commit = git->call(
      {.args = {"-c", "user.name=t", "-c", "user.email=t@t", "commit-tree", "-m", "long", tree->substr(0, 40)}});
  ASSERT_TRUE(commit) << to_string(commit.error());
  const auto refused = build(*CommitHash::parse(commit->substr(0, 40)));
  ASSERT_TRUE(refused) << to_string(refused.error());
  EXPECT_EQ(refused->failed_stage, "checkout");
  EXPECT_THAT(refused->log, HasSubstr("too many for a file"));
}

TEST_F(BuildCacheTest, DamageLeadsToANewBuild) {
  const auto commit = commit_k("int k(void) { return 7; }\n");
  const auto program = build(commit)->build / "bench";
  fs::permissions(program, fs::perms::owner_write, fs::perm_options::add);
  std::ofstream(program) << "damaged";
  const auto again = build(commit);
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_FALSE(again->from_cache);
  EXPECT_EQ(run(*again), "7\n");
}

TEST_F(BuildCacheTest, AHalfMadeEntryIsMadeAnew) {
  const auto commit = commit_k("int k(void) { return 7; }\n");
  const auto entry = build(commit)->build.parent_path();
  fs::remove(entry / "entry");  // as if we had been killed
  const auto again = build(commit);
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->from_cache);
  EXPECT_EQ(run(*again), "7\n");
}

TEST_F(BuildCacheTest, ManyWhoAskAtOnceGetOneBuild) {
  const auto commit = commit_k("int k(void) { return 7; }\n");
  git = repository.open();
  request.git = &*git;
  request.source = {commit, std::nullopt, {}};
  std::atomic<int> built = 0, good = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const auto other = BuildCache::open(config, sandbox);
      const auto made = other->build(request);
      if (made && made->ok) ++good;
      if (made && !made->from_cache) ++built;
    });
  threads.clear();
  EXPECT_EQ(good, 4);
  EXPECT_EQ(built, 1);
}

TEST_F(BuildCacheTest, OldBuildsGoWhenTheLimitIsReached) {
  config.size_max = Bytes{1};
  cache = *BuildCache::open(config, sandbox);
  const auto old = build(commit_k("int k(void) { return 7; }\n"))->build;  // dropped at once: nobody uses it
  const auto young = build(commit_k("int k(void) { return 8; }\n"));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_EQ(run(*young), "8\n");  // in use, so it stays although it is over the limit
}

TEST_F(BuildCacheTest, WhatAKilledRunnerLeftIsRemovedAndClosedToOthers) {
  const auto left = folder.path / "cache/entries" / std::string(64, 'a');
  fs::create_directories(left / "source");
  const auto made = build(commit_k("int k(void) { return 7; }\n"));
  ASSERT_TRUE(made);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(made->build));
  EXPECT_EQ(fs::status(folder.path / "cache").permissions(), fs::perms::owner_all);
}

TEST_F(BuildCacheTest, APinnedBuildStaysAndIsFoundByItsKey) {
  config.size_max = Bytes{1};
  cache = *BuildCache::open(config, sandbox);
  const auto key = build(commit_k("int k(void) { return 7; }\n"))->key;
  // The build just made is thrown out with the next one unless it is pinned.
  ASSERT_TRUE(cache.pin(key));
  (void)build(commit_k("int k(void) { return 8; }\n"));
  config.testbed = "another toolkit";
  const auto other = *BuildCache::open(config, sandbox);
  {
    const auto kept = other.find(key);
    ASSERT_TRUE(kept && *kept);
    EXPECT_EQ(run(**kept), "7\n");
  }
  cache.unpin(key);
  (void)build(commit_k("int k(void) { return 9; }\n"));
  EXPECT_FALSE(*other.find(key));
  EXPECT_FALSE(*other.find("../elsewhere"));
}

TEST_F(BuildCacheTest, OnlyTheFetchStageHasTheNetwork) {
  const auto commit = repository.commit("net", {{"a", "1"}});
  request.recipe.fetch = "readlink /proc/self/ns/net > {source}/net";
  request.recipe.build = "cat {source}/net; readlink /proc/self/ns/net";
  const auto made = build(commit);
  ASSERT_TRUE(made) << to_string(made.error());
  const auto host = fs::read_symlink("/proc/self/ns/net").string();
  const auto at = made->log.find(host);
  ASSERT_NE(at, std::string::npos) << made->log;
  EXPECT_EQ(made->log.find(host, at + 1), std::string::npos);
}

TEST_F(BuildCacheTest, NotesStayWithTheEntry) {
  const auto commit = commit_k("int k(void) { return 7; }\n");
  const auto first = build(commit);
  EXPECT_EQ(first->load_note("checks"), "");
  ASSERT_TRUE(first->store_note("checks", "passed"));
  EXPECT_EQ(build(commit)->load_note("checks"), "passed");
}

TEST_F(BuildCacheTest, ATrapInTheBuildReachesNothing) {
  const auto commit = repository.commit("trap", {{"go.sh", "ln -s '" + folder.path.string() +
                                                               "/cache' {build}/link 2>/dev/null\n"
                                                               "echo x > /work/owned; cat /etc/shadow\n"
                                                               "chmod 000 /work/build; exit 0\n"}});
  request.recipe.build = "sh {source}/go.sh";
  const auto made = build(commit);
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_TRUE(made->ok);
  EXPECT_THAT(made->log, testing::Not(HasSubstr("root:")));
}

}  // namespace build_cache_test
}  // namespace kernelgate
