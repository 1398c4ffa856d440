// SPDX-License-Identifier: Apache-2.0
#include "runner/source/checkout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "core/manifest/manifest.hpp"
#include "core/units/digest.hpp"
#include "platform/process/scratch_folder.hpp"
#include "runner/source/large_files.hpp"
#include "runner/source/submodules.hpp"

namespace kernelgate {
namespace {

namespace fs = std::filesystem;

bool matches_any(const std::vector<std::string>& globs, const TreeEntry& entry) {
  // A glob for files in a submodule ("third_party/lib/**") means the submodule's commit.
  const std::string within = entry.mode == "160000" ? entry.path + "/x" : entry.path;
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return glob_match(glob, entry.path) || glob_match(glob, within); });
}

tl::unexpected<Error> checkout_error(const Error& error) {
  if (error.what.find("No space left on device") != std::string::npos)
    return fail(Errc::io, "the disk is full: " + error.what, {}, "make room for the build cache");
  return tl::unexpected(error);
}

// The listing goes through an index of its own, which refuses paths such as ".git/config" and settles a file that
// stands where another entry needs a folder.
Status write_files(const Git& git, const std::vector<TreeEntry>& entries, const fs::path& into,
                   const std::stop_token& stop) {
  const ScratchFolder scratch("git");
  if (scratch.path().empty()) return fail(Errc::io, "cannot make a temporary folder");
  const std::vector<std::pair<std::string, std::string>> env{{"GIT_INDEX_FILE", (scratch.path() / "index").string()}};
  std::string lines;
  for (const auto& entry : entries) lines += entry.mode + " " + entry.object + "\t" + entry.path + '\0';
  const auto indexed = git.call({.args = {"update-index", "-z", "--index-info"}, .stdin_text = lines, .env = env});
  if (!indexed) return checkout_error(indexed.error());
  const auto written =
      git.call({.args = {"-C", into.string(), "--work-tree=" + into.string(), "checkout-index", "--all"},
                .env = env,
                .timeout = limits::kFetchTimeout,
                .stop = stop});
  if (!written) return checkout_error(written.error());
  return {};
}

// Git holds paths that no file system does.
Status check_paths(const std::vector<TreeEntry>& entries, const fs::path& folder) {
  for (const auto& entry : entries) {
    const bool fits = folder.string().size() + 1 + entry.path.size() < PATH_MAX;
    const bool parts_fit = std::ranges::all_of(fs::path(entry.path),
                                               [](const fs::path& part) { return part.string().size() <= NAME_MAX; });
    if (!fits || !parts_fit)
      return fail(Errc::invalid, fmt::format("its path has {} bytes, too many for a file", entry.path.size()),
                  entry.path.substr(0, 200), "shorten it");
  }
  return {};
}

}  // namespace

Result<std::vector<TreeEntry>> list_source(const Git& git, const Source& source) {
  auto entries = git.list_tree(source.commit);
  if (!entries) return entries;
  if (source.overlay_from && !source.overlay.empty()) {
    const auto other = git.list_tree(*source.overlay_from);
    if (!other) return other;
    std::erase_if(*entries, [&](const TreeEntry& entry) { return matches_any(source.overlay, entry); });
    for (const auto& entry : *other)
      if (matches_any(source.overlay, entry)) entries->push_back(entry);
  }
  std::sort(entries->begin(), entries->end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return entries;
}

std::string hash_inputs(const std::vector<TreeEntry>& entries, const std::vector<std::string>& inputs) {
  const auto shapes_the_rest = [](const TreeEntry& entry) {
    return entry.path == kManifestName || entry.path == ".gitmodules" || entry.path.ends_with(".gitattributes");
  };
  Sha256 digest;
  for (const auto& entry : entries)
    if (shapes_the_rest(entry) || matches_any(inputs, entry))
      digest.field(entry.mode).field(entry.object).field(entry.path);
  return digest.hex();
}

Status checkout(const Git& git, const Source& source, const fs::path& into, const CheckoutOrigin& origin,
                std::stop_token stop) {
  std::error_code error;
  if (!fs::is_directory(into, error) || !fs::is_empty(into, error))
    return fail(Errc::conflict, "'" + into.string() + "' is not an empty folder");
  const auto entries = list_source(git, source);
  if (!entries) return pass_on(entries);
  const auto folder = fs::absolute(into);
  if (auto fit = check_paths(*entries, folder); !fit) return fit;
  if (auto done = write_files(git, *entries, folder, stop); !done) return done;
  if (auto done = git_detail::fetch_large_files(git, *entries, folder, origin.url, stop); !done) return done;
  return git_detail::checkout_submodules(git, source, *entries, folder, origin, stop);
}

}  // namespace kernelgate
