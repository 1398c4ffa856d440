// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads one repository through the git program: hooks off, a protocol allow-list, no prompts, no GIT_* variables of
// ours, time-outs. `isolated` also leaves system and user configuration out (mirrors); `users` keeps it (a work tree of
// the person who calls us). Thread-safe; every call is a child process.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/units/git_hash.hpp"
#include "core/units/limits.hpp"
#include "core/units/result.hpp"

namespace kernelgate {

enum class GitConfig { isolated, users };

struct CommitFacts {
  CommitHash commit;
  TreeHash tree;
  std::vector<CommitHash> parents;
  std::string subject;
  std::string author;  // name, without address
  std::int64_t committed_at_s = 0;
  std::string hypothesis{};  // trailer "Hypothesis:" of the message, unfolded to one line; may be empty
};

// A line of a recursive listing. mode: 100644, 100755, 120000 (symbolic link), 160000 (submodule: a commit).
struct TreeEntry {
  std::string mode;
  std::string object;
  std::string path;
  bool operator==(const TreeEntry&) const = default;
};

struct GitCall {
  std::vector<std::string> args{};
  std::string stdin_text{};
  std::vector<std::pair<std::string, std::string>> env{};
  std::chrono::seconds timeout{120};
  std::stop_token stop{};
  Bytes output_max = limits::kSuiteOutputMax;  // over it: Errc::too_large
  std::filesystem::path grows{};               // a folder that the call fills; empty: none
  Bytes grows_max = limits::kMirrorMax;        // on the disk; over it: Errc::too_large
};

class Git {
 public:
  // `repository` is a work tree, any folder in it, or a bare repository.
  [[nodiscard]] static Result<Git> open(const std::filesystem::path& repository, GitConfig config);

  [[nodiscard]] const std::filesystem::path& git_dir() const { return git_dir_; }
  [[nodiscard]] Result<std::filesystem::path> work_tree() const;  // Errc::unsupported for a bare repository

  // stdout of a successful call (arguments after "git --git-dir=…"); a failed one is an error with git's last words.
  [[nodiscard]] Result<std::string> call(const GitCall& call) const;

  // Any revision ("main", "HEAD~2", a hash). Unknown: Errc::not_found, with what to do.
  [[nodiscard]] Result<CommitHash> resolve(std::string_view revision) const;
  [[nodiscard]] bool has_commit(const CommitHash& commit) const;
  [[nodiscard]] Result<CommitFacts> facts(const CommitHash& commit) const;
  [[nodiscard]] Result<TreeHash> tree_of(const CommitHash& commit) const;
  [[nodiscard]] Result<std::optional<CommitHash>> merge_base(const CommitHash& a, const CommitHash& b) const;
  // The commit itself first, then its first parents; at most `count`.
  [[nodiscard]] Result<std::vector<CommitHash>> first_parents(const CommitHash& commit, int count) const;
  // git's id of the change between two commits: line numbers and white space do not count. Empty: no change, or one of
  // over kPatchMax.
  [[nodiscard]] Result<std::string> patch_id(const CommitHash& from, const CommitHash& to) const;
  [[nodiscard]] Result<bool> is_shallow_at(const CommitHash& commit) const;  // its parents are cut off
  // Empty if the commit has no such file.
  [[nodiscard]] Result<std::optional<std::string>> show_file(const CommitHash& commit, std::string_view path) const;
  [[nodiscard]] Result<std::string> blob(std::string_view object) const;
  [[nodiscard]] Result<std::vector<TreeEntry>> list_tree(const CommitHash& commit) const;

 private:
  Git(std::filesystem::path git_dir, std::filesystem::path work_tree, GitConfig config)
      : git_dir_(std::move(git_dir)), work_tree_(std::move(work_tree)), config_(config) {}
  std::filesystem::path git_dir_;
  std::filesystem::path work_tree_;  // empty: bare
  GitConfig config_;
};

// Commits the work tree as it stands (staged, changed and untracked files, ignored ones not) as a child of HEAD,
// without touching index, work tree or refs. The same content gives the same tree.
[[nodiscard]] Result<CommitHash> snapshot_work_tree(const Git& git);

}  // namespace kernelgate
