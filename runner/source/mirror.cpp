// SPDX-License-Identifier: Apache-2.0
#include "runner/source/mirror.hpp"

#include <algorithm>
#include <fstream>

#include "core/units/digest.hpp"
#include "platform/git/run_git.hpp"
#include "platform/process/file_lock.hpp"

namespace kernelgate {
namespace {

namespace fs = std::filesystem;

bool says(const Error& error, std::initializer_list<std::string_view> texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](std::string_view text) { return error.what.find(text) != std::string::npos; });
}

// Why a fetch failed, in the words of a person who has to fix it.
tl::unexpected<Error> fetch_error(const Error& error, const std::string& url) {
  if (error.code != Errc::io) return tl::unexpected(error);
  if (says(error, {"No space left on device"})) return fail(Errc::io, "the disk is full: " + error.what, url);
  return fail(Errc::unavailable, error.what, url, "check that the URL is right and that this machine may read it");
}

}  // namespace

Result<MirrorPool> MirrorPool::open(fs::path root) {
  std::error_code error;
  fs::create_directories(root, error);
  if (error) return fail(Errc::io, "cannot make '" + root.string() + "': " + error.message());
  fs::permissions(root, fs::perms::owner_all, error);  // repositories may be private; the machine's users are not
  root = fs::absolute(root);
  // A file, because git drops configuration from the environment when it starts the other side of a local fetch.
  const auto fresh = root / ("gitconfig." + random_hex(8));
  std::ofstream file(fresh);
  file << "[safe]\n\tdirectory = *\n[protocol]\n\tallow = never\n[core]\n\thooksPath = /dev/null\n";
  file.close();
  if (!file) return fail(Errc::io, "cannot write in '" + root.string() + "'", {}, "see its rights and free space");
  fs::rename(fresh, root / "gitconfig", error);
  if (error) return fail(Errc::io, "cannot write in '" + root.string() + "': " + error.message());
  return MirrorPool(std::move(root));
}

fs::path MirrorPool::folder_of(const std::string& url) const {
  return root_ / (sha256_hex(url).substr(0, 20) + ".git");
}

Result<Git> MirrorPool::open_locked(const std::string& url) const {
  const auto folder = folder_of(url);
  std::error_code ignored;
  if (fs::exists(folder / "HEAD", ignored)) {
    auto git = Git::open(folder, GitConfig::isolated);
    if (git && fs::equivalent(git->git_dir(), folder, ignored)) return git;
  }
  fs::remove_all(folder, ignored);  // left half-made by a crash
  const auto made =
      git_detail::run_git({}, {.args = {"init", "--quiet", "--bare", folder.string()}}, GitConfig::isolated);
  if (!made) return pass_on(made);
  std::ofstream(folder / "description") << url << "\n";
  return Git::open(folder, GitConfig::isolated);
}

Status MirrorPool::fetch_refs(const Git& git, const std::string& url, const std::stop_token& stop) const {
  const auto done = git.call({.args = {"fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head",
                                       "--update-shallow", "--recurse-submodules=no", "--force", "--", url,
                                       "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"},
                              .env = {{"GIT_CONFIG_GLOBAL", (root_ / "gitconfig").string()}},
                              .timeout = limits::kFetchTimeout,
                              .stop = stop});
  if (!done) return fetch_error(done.error(), url);
  return {};
}

Status MirrorPool::fetch_commit(const Git& git, const std::string& url, const CommitHash& commit,
                                const std::stop_token& stop) const {
  const auto done =
      git.call({.args = {"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--update-shallow",
                         "--recurse-submodules=no", "--", url, commit.str() + ":refs/keep/" + commit.str()},
                .env = {{"GIT_CONFIG_GLOBAL", (root_ / "gitconfig").string()}},
                .timeout = limits::kFetchTimeout,
                .stop = stop});
  if (done) return {};
  if (!says(done.error(), {"not our ref", "find remote ref", "unadvertised object", "not a valid object"}))
    return fetch_error(done.error(), url);
  return fail(Errc::not_found, "the repository has no commit " + commit.str(), url,
              "push it; for a commit that is not on a branch yet install the hook with --stage");
}

Result<Git> MirrorPool::fetch(const std::string& url, const CommitHash& commit, std::stop_token stop) const {
  if (auto allowed = check_git_url(url); !allowed) return pass_on(allowed);
  auto lock = FileLock::acquire(folder_of(url).string() + ".lock", LockKind::exclusive, stop);
  if (!lock) return pass_on(lock);
  auto git = open_locked(url);
  if (!git) return git;
  if (!git->has_commit(commit)) {
    if (auto done = fetch_refs(*git, url, stop); !done) return pass_on(done);
    if (!git->has_commit(commit))
      if (auto done = fetch_commit(*git, url, commit, stop); !done) return pass_on(done);
  }
  const auto kept = git->call({.args = {"update-ref", "refs/keep/" + commit.str(), commit.str()}});
  if (!kept) return pass_on(kept);
  return git;
}

Result<Git> MirrorPool::refresh(const std::string& url, std::stop_token stop) const {
  if (auto allowed = check_git_url(url); !allowed) return pass_on(allowed);
  auto lock = FileLock::acquire(folder_of(url).string() + ".lock", LockKind::exclusive, stop);
  if (!lock) return pass_on(lock);
  auto git = open_locked(url);
  if (!git) return git;
  if (auto done = fetch_refs(*git, url, stop); !done) return pass_on(done);
  return git;
}

bool MirrorPool::try_fetch_commit(const Git& mirror, const std::string& url, const CommitHash& commit,
                                  std::stop_token stop) const {
  if (mirror.has_commit(commit)) return true;
  return fetch(url, commit, stop).has_value();
}

}  // namespace kernelgate
