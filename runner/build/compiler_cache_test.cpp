// SPDX-License-Identifier: Apache-2.0
#include "runner/build/compiler_cache.hpp"

#include <gmock/gmock.h>

#include "tests/support/build_fixture.hpp"

namespace kernelgate {
namespace compiler_cache_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

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

// Puts the whole, valid result (type 0, the fourth byte) of other source under the key of honest source: ccache sees
// nothing wrong with it.
TEST_F(CompilerCacheTest, APoisonedObjectReachesNoOtherBuild) {
  const auto honest = commit_k("int k(void) { return 7; }\n");
  const auto poisoned =
      hostile(request.recipe.build +
              " && cd $CCACHE_DIR/objects && mine=$(find . -type f) && "
              "echo 'int k(void) { return 9; }' > /tmp/k.c && ccache cc -O1 -c /tmp/k.c -o /tmp/k.o && "
              "for other in $(find . -type f); do case \"$mine\" in *$other*) continue;; esac; "
              "[ $(od -An -tu1 -j3 -N1 $other) = 0 ] || continue; for f in $mine; do "
              "[ $(od -An -tu1 -j3 -N1 $f) = 1 ] || cp $other $f && echo swapped; done; done; true");
  ASSERT_TRUE(poisoned && poisoned->ok) << poisoned->log;
  EXPECT_THAT(poisoned->log, HasSubstr("swapped"));
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

// ccache takes its stores as a list of URLs between blanks.
TEST_F(CompilerCacheTest, WithoutASandboxTheFolderMayHaveAnyName) {
  sandbox = *Sandbox::open({.none = true});
  const fs::path root = folder.path / "it's 100% mine";
  cache = *BuildCache::open({.root = root}, sandbox);
  const auto made = build(commit_k("int k(void) { return 7; }\n"));
  ASSERT_TRUE(made) << to_string(made.error());
  ASSERT_TRUE(made->ok) << made->log;
  EXPECT_NE(fs::recursive_directory_iterator(root / "ccache"), fs::recursive_directory_iterator())
      << "nothing was shared";
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

}  // namespace compiler_cache_test
}  // namespace kernelgate
