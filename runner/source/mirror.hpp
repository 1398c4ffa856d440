// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bare mirrors of registered repositories and of their submodules, one folder per URL, locked against other threads and
// processes while fetching. Fetched commits are kept even if they are force-pushed away later. URLs outside the
// allow-list (file and plain paths, https, ssh) are refused before git sees them.

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/git_hash.hpp"
#include "core/units/result.hpp"
#include "platform/git/git.hpp"

namespace kernelgate {

// Whether `url.<base>.insteadOf` of this user's and this machine's git configuration is obeyed. Not for what forks
// name: a rewrite may lead to places that only the runner's own keys open.
enum class UrlRewrites { obeyed, ignored };

class MirrorPool {
 public:
  [[nodiscard]] static Result<MirrorPool> open(std::filesystem::path root, Bytes size_max = limits::kMirrorMax,
                                               UrlRewrites rewrites = UrlRewrites::obeyed);

  // Fetches all branches and tags of `url` unless `commit` is there already, then `commit` by name if no ref reaches
  // it. Errc::not_found: the source does not have it; Errc::unavailable: the source cannot be reached;
  // Errc::too_large: its mirror would take more than `size_max` of the disk.
  [[nodiscard]] Result<Git> fetch(const std::string& url, const CommitHash& commit, std::stop_token stop = {}) const;
  // Fetches branches and tags whatever is there: for a base that is named by a branch.
  [[nodiscard]] Result<Git> refresh(const std::string& url, std::stop_token stop = {}) const;
  // Also fetches `commit` into an existing mirror if the source still has it (a tip before a force push).
  [[nodiscard]] bool try_fetch_commit(const Git& mirror, const std::string& url, const CommitHash& commit,
                                      std::stop_token stop = {}) const;

 private:
  MirrorPool(std::filesystem::path root, Bytes size_max) : root_(std::move(root)), size_max_(size_max) {}
  [[nodiscard]] std::filesystem::path folder_of(const std::string& url) const;
  [[nodiscard]] Result<Git> open_locked(const std::string& url) const;
  [[nodiscard]] Status fetch_refs(const Git& git, const std::string& url, const std::stop_token& stop) const;
  [[nodiscard]] Status fetch_commit(const Git& git, const std::string& url, const CommitHash& commit,
                                    const std::stop_token& stop) const;
  [[nodiscard]] Status fetch_into(const Git& git, const std::string& url, const std::vector<std::string>& refs,
                                  bool prune, const std::stop_token& stop) const;
  std::filesystem::path root_;
  Bytes size_max_;  // of one mirror
};

[[nodiscard]] Status check_git_url(std::string_view url);
[[nodiscard]] bool is_local_git_url(std::string_view url);

// A commit names its submodules, and anybody may write a commit: it must not make us read other repositories of this
// machine, or use our ssh keys on other hosts.
[[nodiscard]] Status check_submodule_url(std::string_view parent, std::string_view url);
// Of a fork: https, without a user, from one of `hosts`.
[[nodiscard]] Status check_untrusted_submodule_url(const std::vector<std::string>& hosts, std::string_view url);

// A submodule's URL as .gitmodules states it, which may be relative ("../other.git") to its parent's.
[[nodiscard]] std::string resolve_submodule_url(std::string_view parent, std::string_view url);

}  // namespace kernelgate
