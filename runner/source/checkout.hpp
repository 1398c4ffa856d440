// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes a commit's files into an empty folder: files matched by the overlay globs come from another commit (head's
// benchmark code for base), submodules from mirrors of their own, LFS files from git-lfs. No repository is left behind
// in the folder. Nothing is ever written outside it.

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/manifest/manifest.hpp"
#include "core/units/result.hpp"
#include "platform/git/git.hpp"
#include "runner/source/mirror.hpp"

namespace kernelgate {

struct Source {
  CommitHash commit;
  std::optional<CommitHash> overlay_from;
  std::vector<std::string> overlay;  // globs
  SubmoduleChoice submodules{};      // of the commit itself; those of submodules are all taken
  // Submodules that are left as empty folders, by their whole paths; see unreachable_submodules.
  std::vector<std::string> left_out{};
};

// What the checkout will hold, sorted by path.
[[nodiscard]] Result<std::vector<TreeEntry>> list_source(const Git& git, const Source& source);

// SHA-256 over the entries that the input globs match (a submodule counts by its commit). kernelgate.toml,
// .gitmodules and .gitattributes always count: they decide what the other files hold.
[[nodiscard]] std::string hash_inputs(const std::vector<TreeEntry>& entries, const std::vector<std::string>& inputs);

// `url` is where `git` was fetched from: relative submodule URLs and LFS need it. `mirrors` may be null: submodules are
// then an error.
// A fork's submodules come by https from `only_hosts` alone: a relative URL would read whatever else of the
// repository's host, or of this disk, the runner may read.
struct CheckoutOrigin {
  const MirrorPool* mirrors = nullptr;
  std::string url;
  std::optional<std::vector<std::string>> only_hosts{};
};
// What cannot be fetched of submodules that need not be there, theirs included: whole paths, and for each the reason.
// An error where one is not allowed, or one that the choice names cannot be had.
struct LeftOut {
  std::vector<std::string> paths, reasons;
};
[[nodiscard]] Result<LeftOut> unreachable_submodules(const Git& git, const Source& source, const CheckoutOrigin& origin,
                                                     const std::stop_token& stop = {});

[[nodiscard]] Status checkout(const Git& git, const Source& source, const std::filesystem::path& into,
                              const CheckoutOrigin& origin, std::stop_token stop = {});

}  // namespace kernelgate
