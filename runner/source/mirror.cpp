// SPDX-License-Identifier: Apache-2.0
#include "runner/source/mirror.hpp"

#include <algorithm>
#include <fstream>

#include "core/units/digest.hpp"
#include "platform/files/tree_size.hpp"
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

// The rest of that configuration stays outside: helpers and commands have no place in a mirror.
Status copy_rewrites(const fs::path& file) {
  const auto listed = git_detail::run_git(
      {}, {.args = {"config", "--null", "--get-regexp", "^url\\..*\\.(push)?insteadof$"}}, GitConfig::users);
  if (!listed) return {};  // there are none
  for (std::size_t at = 0; at < listed->size();) {
    const auto end = std::min(listed->find('\0', at), listed->size());
    const auto entry = listed->substr(at, end - at);
    at = end + 1;
    const auto cut = std::min(entry.find('\n'), entry.size());
    if (cut + 1 >= entry.size()) continue;
    const auto added = git_detail::run_git(
        {}, {.args = {"config", "--file", file.string(), "--add", entry.substr(0, cut), entry.substr(cut + 1)}},
        GitConfig::isolated);
    if (!added) return pass_on(added);
  }
  return {};
}

}  // namespace

Result<MirrorPool> MirrorPool::open(fs::path root, Bytes size_max, UrlRewrites rewrites) {
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
  if (rewrites == UrlRewrites::obeyed)
    if (auto copied = copy_rewrites(fresh); !copied) return pass_on(copied);
  fs::rename(fresh, root / "gitconfig", error);
  if (error) return fail(Errc::io, "cannot write in '" + root.string() + "': " + error.message());
  return MirrorPool(std::move(root), size_max);
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

Status MirrorPool::fetch_into(const Git& git, const std::string& url, const std::vector<std::string>& refs, bool prune,
                              const std::stop_token& stop) const {
  GitCall call{
      .args = {"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--update-shallow", "--recurse-submodules=no"},
      .env = {{"GIT_CONFIG_GLOBAL", (root_ / "gitconfig").string()}},
      .timeout = limits::kFetchTimeout,
      .stop = stop,
      .grows = git.git_dir(),
      .grows_max = size_max_};
  if (prune) call.args.insert(call.args.end(), {"--prune", "--force"});
  call.args.insert(call.args.end(), {"--", url});
  call.args.insert(call.args.end(), refs.begin(), refs.end());
  const auto done = git.call(std::move(call));
  std::string why = done ? "" : done.error().what;
  if (!done && done.error().code != Errc::too_large) return pass_on(done);
  if (done && size_on_disk({git.git_dir()}, size_max_).used > size_max_)
    why = "its mirror takes more than " + readable_size(size_max_) + " of disk";
  if (why.empty()) return {};
  // One commit must not keep the repository's others from being fetched: the next fetch begins anew.
  std::error_code ignored;
  fs::remove_all(git.git_dir(), ignored);
  return fail(Errc::too_large, why, url, "allow it more: runner --mirror-gib");
}

Status MirrorPool::fetch_refs(const Git& git, const std::string& url, const std::stop_token& stop) const {
  const auto done = fetch_into(git, url, {"+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"}, true, stop);
  if (!done) return fetch_error(done.error(), url);
  return {};
}

Status MirrorPool::fetch_commit(const Git& git, const std::string& url, const CommitHash& commit,
                                const std::stop_token& stop) const {
  const auto done = fetch_into(git, url, {commit.str() + ":refs/keep/" + commit.str()}, false, stop);
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
