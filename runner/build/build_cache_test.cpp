// SPDX-License-Identifier: Apache-2.0
#include "runner/build/build_cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <set>
#include <thread>

#include "platform/process/command_line.hpp"
#include "runner/build/identity.hpp"
#include "tests/support/test_repository.hpp"

namespace kernelgate {
namespace build_cache_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kCMake =
    "cmake_minimum_required(VERSION 3.18)\nproject(p C)\nadd_executable(bench bench.c)\nadd_library(k SHARED k.c)\n"
    "target_link_libraries(bench k)\n";
constexpr const char* kBench =
    "#include <stdio.h>\nint k(void);\nint main(void) { printf(\"%d\\n\", k()); return 0; }\n";

class BuildCacheTest : public testing::Test {
 protected:
  BuildCacheTest() {
    request.recipe.build =
        "cc -O1 -shared -fPIC {source}/k.c -o {build}/libk.so && "
        "cc -O1 {source}/bench.c -o {build}/bench -L{build} -lk -Wl,-rpath,{build}";
    request.origin = {&mirrors, repository.path.string()};
  }
  Result<Build> build(const CommitHash& commit, std::stop_token stop = {}) {
    git = repository.open();
    request.git = &*git;
    request.source = {commit, std::nullopt, {}};
    return cache.build(request, stop);
  }
  // The number that the built program prints.
  std::string run(const Build& made) const {
    const auto mounts = made.mounts();
    const auto result = sandbox.run({.argv = shell_argv("/work/build/bench"), .mounts = mounts}, {});
    return result ? result->out : to_string(result.error());
  }
  CommitHash commit_k(const std::string& k) const {
    return repository.commit("k", {{"CMakeLists.txt", kCMake}, {"bench.c", kBench}, {"k.c", k}});
  }

  TemporaryFolder folder{"build"};
  TestRepository repository{folder.path / "repo"};
  MirrorPool mirrors = *MirrorPool::open(folder.path / "mirrors");
  Sandbox sandbox = *Sandbox::open({});
  BuildCacheConfig config{.root = folder.path / "cache"};
  BuildCache cache = *BuildCache::open(config, sandbox);
  std::optional<Git> git;
  BuildRequest request{
      .git = nullptr, .origin = {}, .source = {*CommitHash::parse(std::string(40, '0')), {}, {}}, .recipe = {}};
};

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
  EXPECT_NE(base->inputs, head->inputs);
  const auto identity = *suite_identity(base->build, "{build}/bench");
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity, *suite_identity(head->build, "{build}/bench"));
  EXPECT_NE(identity, *suite_identity(other->build, "{build}/bench"));
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
  EXPECT_EQ(bad->inputs, good->inputs);
  EXPECT_EQ(good->inputs, text->inputs);
  EXPECT_NE(good->key, text->key);
}

TEST_F(BuildCacheTest, AttributesAndModulesAlwaysCountAsInputs) {
  request.recipe.inputs = {"*.c"};
  const auto base = build(commit_k("int k(void) { return 7; }\n"));
  const auto head = build(repository.commit("attributes", {{"sub/.gitattributes", "*.c eol=crlf\n"}}));
  ASSERT_TRUE(base && head);
  EXPECT_NE(base->inputs, head->inputs);
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

// Builds with ccache through a plain compiler line, as CMake's launcher does.
class CompilerCacheTest : public BuildCacheTest {
 protected:
  CompilerCacheTest() {
    request.recipe.build = "cd {build} && ccache cc -O1 -c {source}/k.c -o k.o && cc -O1 {source}/bench.c k.o -o bench";
    request.is_protected = true;
  }
  Result<Build> hostile(const std::string& line) {
    request.is_protected = false;
    const auto honest = request.recipe.build;
    request.recipe.build = line;
    auto made = build(commit_k("int k(void) { return 7; }\n"));
    request.recipe.build = honest;
    request.is_protected = true;
    return made;
  }
  // Direct and preprocessed hits of all builds so far, by ccache's own log.
  static bool hit(const Build& made) { return made.log.find("Succeeded getting cached result") != std::string::npos; }
  void SetUp() override { request.recipe.build = "export CCACHE_LOGFILE=/dev/stdout; " + request.recipe.build; }
};

TEST_F(CompilerCacheTest, WhatAProtectedCommitCompiledIsUsedByTheNext) {
  ASSERT_TRUE(build(commit_k("int k(void) { return 7; }\n"))->ok);
  request.is_protected = false;
  const auto head = build(repository.commit("text", {{"README", "words"}}));
  ASSERT_TRUE(head && head->ok) << head->log;
  EXPECT_TRUE(hit(*head)) << head->log;
}

TEST_F(CompilerCacheTest, WhatAnyOtherCommitCompiledIsUsedByNone) {
  request.is_protected = false;
  ASSERT_TRUE(build(commit_k("int k(void) { return 7; }\n"))->ok);
  const auto next = build(repository.commit("text", {{"README", "words"}}));
  ASSERT_TRUE(next && next->ok) << next->log;
  EXPECT_FALSE(hit(*next)) << next->log;
  // Its objects wait: once it is protected they are shared.
  request.is_protected = true;
  EXPECT_TRUE(build(repository.commit("text", {{"README", "words"}}))->ok);
}

TEST_F(CompilerCacheTest, TheObjectsOfACommitAreSharedOnceItIsProtected) {
  request.is_protected = false;
  const auto commit = commit_k("int k(void) { return 7; }\n");
  ASSERT_TRUE(build(commit)->ok);
  request.is_protected = true;
  EXPECT_TRUE(build(commit)->from_cache);
  const auto next = build(repository.commit("text", {{"README", "words"}}));
  ASSERT_TRUE(next && next->ok);
  EXPECT_TRUE(hit(*next)) << next->log;
}

// The trap of 2026-11-22: a ccache.conf in a folder that all builds shared rewrote every later compilation.
TEST_F(CompilerCacheTest, ATrapInTheConfigurationReachesNoOtherBuild) {
  const auto trap = hostile(
      "mkdir -p $CCACHE_DIR && printf 'prefix_command = /bin/false\\n' > $CCACHE_DIR/ccache.conf && "
      "(printf 'prefix_command = /bin/false\\n' > /work/ccache-shared/ccache.conf || echo refused) && true");
  ASSERT_TRUE(trap && trap->ok) << trap->log;
  EXPECT_THAT(trap->log, HasSubstr("refused"));
  const auto next = build(commit_k("int k(void) { return 8; }\n"));
  ASSERT_TRUE(next && next->ok) << next->log;
  EXPECT_EQ(run(*next), "8\n");
}

// Swaps the object of honest source for another one under the honest key.
TEST_F(CompilerCacheTest, APoisonedObjectReachesNoOtherBuild) {
  const auto honest = commit_k("int k(void) { return 7; }\n");
  const auto poisoned = hostile(request.recipe.build +
                                " && for f in $(find $CCACHE_DIR/objects -type f); do echo poison > $f; done; "
                                "for f in $(find /work/ccache-shared -type f); do echo poison > $f; done; true");
  ASSERT_TRUE(poisoned && poisoned->ok) << poisoned->log;
  const auto next = build(honest);
  ASSERT_TRUE(next && next->ok) << next->log;
  EXPECT_EQ(run(*next), "7\n");
  EXPECT_FALSE(hit(*next));
}

TEST_F(CompilerCacheTest, AnotherRepositoryReadsNothingOfThisOne) {
  ASSERT_TRUE(build(commit_k("int k(void) { return 7; }\n"))->ok);
  request.origin.url = "https://example.com/other.git";
  const auto other = build(repository.commit("text", {{"README", "words"}}));
  ASSERT_TRUE(other && other->ok) << other->log;
  EXPECT_FALSE(hit(*other)) << other->log;
}

TEST_F(CompilerCacheTest, LinksAndStrangeNamesAreNotShared) {
  const auto trap = build(commit_k("int k(void) { return 7; }\n"));
  ASSERT_TRUE(trap);
  request.recipe.build =
      "mkdir -p $CCACHE_DIR/objects/aa && cd $CCACHE_DIR/objects && ln -s /etc/passwd aa/00000000000000000000000000 && "
      "echo x > ccache.conf && echo x > aa/short && ln -s /etc ab";
  ASSERT_TRUE(build(repository.commit("links", {{"README", "links"}}))->ok);
  for (const auto& entry : fs::recursive_directory_iterator(folder.path / "cache/ccache")) {
    EXPECT_FALSE(entry.is_symlink()) << entry.path();
    EXPECT_NE(entry.path().filename(), "ccache.conf");
    EXPECT_NE(entry.path().filename(), "short");
  }
}

}  // namespace build_cache_test
}  // namespace kernelgate
