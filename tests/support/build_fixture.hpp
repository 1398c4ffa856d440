// SPDX-License-Identifier: Apache-2.0
#pragma once

// A repository, a build cache and a request whose program prints what the repository's k.c returns.

#include <filesystem>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "platform/process/command_line.hpp"
#include "runner/build/build_cache.hpp"
#include "tests/support/test_repository.hpp"

namespace kernelgate {

inline constexpr const char* kCMake =
    "cmake_minimum_required(VERSION 3.18)\nproject(p C)\nadd_executable(bench bench.c)\nadd_library(k SHARED k.c)\n"
    "target_link_libraries(bench k)\n";
inline constexpr const char* kBench =
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
  // What decides whether there is anything to measure.
  std::string inputs_of(const CommitHash& commit) {
    return hash_inputs(*list_source(repository.open(), {commit, std::nullopt, {}}), request.recipe.inputs);
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

}  // namespace kernelgate
