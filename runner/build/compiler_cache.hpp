// SPDX-License-Identifier: Apache-2.0
#pragma once

// ccache for builds that do not trust each other. A build reads the objects that protected commits of its repository
// compiled, from a folder that it cannot write, and writes its own into its build entry. They join the shared ones once
// the commit is protected (on the repository's default branch). Objects are keyed by what was compiled, but a hostile
// build may store anything under any key: that is why no other build's objects are ever read.
// Both folders have the format of ccache's file storage (ccache 4.7 and later: remote_only).

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/units/limits.hpp"
#include "core/units/result.hpp"
#include "runner/sandbox/sandbox.hpp"

namespace kernelgate::build_detail {

struct CompilerCache {
  std::filesystem::path shared;  // of the repository; read-only for builds
  std::filesystem::path own;     // of one build entry; empty: no compiler cache at all
};

// Of a repository below the build cache's root: repositories share nothing.
[[nodiscard]] std::filesystem::path shared_objects_of(const std::filesystem::path& root, std::string_view url);

// ccache can do what is needed: it is installed and new enough.
[[nodiscard]] bool has_compiler_cache(const Sandbox& sandbox);

[[nodiscard]] std::vector<Mount> mounts_of(const CompilerCache& cache);
[[nodiscard]] std::vector<std::pair<std::string, std::string>> environment_of(const CompilerCache& cache,
                                                                              const Sandbox& sandbox);

// Moves the build's own objects to the shared ones: regular files with the names that ccache gives, none that is there
// already. Then removes the oldest shared ones beyond `size_max`.
[[nodiscard]] Status share_objects(const CompilerCache& cache, Bytes size_max = limits::kCompilerCacheMax);

}  // namespace kernelgate::build_detail
