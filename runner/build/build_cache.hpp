// SPDX-License-Identifier: Apache-2.0
#pragma once

// Builds each distinct source once. The key hashes every file that the build sees, the recipe, the toolchain, the
// sandbox mode and the trust level; an entry is sealed read-only and then marked finished in one step, so a half-built
// one is never seen; it is verified whenever it is taken out. A commit that does not build is remembered too; our own
// failures (time-out, full disk, kill, a fetch stage that fails) never are. Safe between threads and processes: one
// flock per key. An entry in use (a live Build) is never thrown out.

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/manifest/manifest.hpp"
#include "core/units/limits.hpp"
#include "core/units/result.hpp"
#include "platform/process/file_lock.hpp"
#include "runner/build/compiler_cache.hpp"
#include "runner/build/shell_line.hpp"
#include "runner/build/stages.hpp"
#include "runner/sandbox/sandbox.hpp"
#include "runner/source/checkout.hpp"

namespace kernelgate {

struct BuildRequest {
  const Git* git = nullptr;
  CheckoutOrigin origin{};
  Source source;
  BuildRecipe recipe{};
  std::string trust = "trusted";  // "fork": a cache of its own, which trusted builds never read
  bool gpu = false;               // the build needs the device (rare: a tuner)
  bool is_protected = false;      // on the protected branch: later builds may use the objects it compiled
};

// A finished entry; holds the lock that keeps it from being thrown out.
struct Build {
  bool ok = false;  // false: the commit does not build, `log` says why
  bool from_cache = false;
  bool tool_missing = false;            // !ok since a command or library is not here
  bool may_end_otherwise = false;       // !ok by time, memory, disk or a missing tool: another try may succeed
  std::string key;                      // cache key
  std::filesystem::path source, build;  // on the host, sealed; absent when !ok
  std::string log;                      // stdout and stderr of all stages
  std::string failed_stage;             // fetch, configure or build
  std::vector<std::string> left_out;    // submodules that could not be reached: empty folders
  double seconds = 0;                   // what the build took when it was made
  std::filesystem::path notes;          // see store_note
  std::shared_ptr<FileLock> in_use;

  // Mounts for checks and suites: source and build read-only at their inside paths.
  [[nodiscard]] std::vector<Mount> mounts() const;
  // A command line of the manifest with {source} and {build} as the sandbox shows them.
  [[nodiscard]] Result<ShellLine> locate(const Sandbox& sandbox, const CommandSetting& setting,
                                         std::string_view line) const;
  // Side files of the entry for results that belong to it (base's check results); empty if never stored.
  [[nodiscard]] std::string load_note(const std::string& name) const;
  [[nodiscard]] Status store_note(const std::string& name, const std::string& text) const;
};

struct BuildCacheConfig {
  std::filesystem::path root;
  Bytes size_max = limits::kBuildCacheDefault;
  Bytes tree_max = limits::kBuildTreeMax;  // of one commit's source and build
  int jobs = 0;                            // build parallelism; 0: all cores
  bool ccache = true;                      // if installed: see compiler_cache.hpp
  std::string testbed{};                   // toolchain part of the testbed (CUDA version); part of the key
};

class BuildCache {
 public:
  [[nodiscard]] static Result<BuildCache> open(BuildCacheConfig config, const Sandbox& sandbox);

  // An error is infrastructure (io: disk full; timed_out; unavailable …); a commit that does not build is no error,
  // but a Build with !ok.
  [[nodiscard]] Result<Build> build(const BuildRequest& request, std::stop_token stop = {}) const;

  // Keeps an entry whatever the cache's size, until it is let go again.
  [[nodiscard]] Status pin(const std::string& key) const;
  void unpin(const std::string& key) const;
  // The finished entry of that key, whatever toolchain made it; nothing where there is none.
  [[nodiscard]] Result<std::optional<Build>> find(const std::string& key, const std::stop_token& stop = {}) const;

  [[nodiscard]] const std::string& toolchain() const { return toolchain_; }

 private:
  [[nodiscard]] Result<build_detail::StageOutcome> check_out(const BuildRequest& request,
                                                             const build_detail::StagePlan& plan,
                                                             const std::stop_token& stop) const;
  // Fills `folder`, unless the build failed in a way that is not remembered: then that build.
  [[nodiscard]] Result<std::optional<Build>> make(const BuildRequest& request, const std::filesystem::path& folder,
                                                  const std::stop_token& stop) const;
  [[nodiscard]] Result<Build> build_complete(const BuildRequest& request, const std::stop_token& stop) const;
  BuildCache(BuildCacheConfig config, Sandbox sandbox, std::string toolchain)
      : config_(std::move(config)), sandbox_(std::move(sandbox)), toolchain_(std::move(toolchain)) {}
  [[nodiscard]] std::string key_of(const BuildRequest& request, const std::vector<TreeEntry>& source) const;
  [[nodiscard]] build_detail::CompilerCache compiler_cache_of(const BuildRequest& request,
                                                              const std::filesystem::path& folder) const;
  void share_compiled(const BuildRequest& request, const std::filesystem::path& folder) const;
  BuildCacheConfig config_;
  Sandbox sandbox_;
  std::string toolchain_;
};

}  // namespace kernelgate
