// SPDX-License-Identifier: Apache-2.0
#include "commands/init/init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <unordered_set>

#include "core/units/limits.hpp"
#include "platform/files/foreign_file.hpp"
#include "platform/git/git.hpp"

namespace kernelgate::init {
namespace {

namespace fs = std::filesystem;

// Tracked and new files, not what git ignores. Submodules are other repositories.
Result<std::vector<SourceFile>> files_of(const Git& git, const fs::path& root) {
  const auto listing =
      git.call({.args = {"-C", root.string(), "ls-files", "-z", "--cached", "--others", "--exclude-standard"}});
  if (!listing) return pass_on(listing);
  std::vector<SourceFile> out;
  std::unordered_set<std::string> seen;  // git lists a file in conflict once for each stage
  for (std::size_t at = 0; at < listing->size();) {
    const std::size_t end = std::min(listing->find('\0', at), listing->size());
    const std::string path = listing->substr(at, end - at);
    at = end + 1;
    if (!is_of_interest(path) || !seen.insert(path).second) continue;
    if (auto text = read_foreign_file(root, path, limits::kManifestMax)) out.push_back({path, std::move(*text)});
  }
  return out;
}

}  // namespace

Result<Outcome> write_manifest(const fs::path& folder) {
  const auto git = Git::open(folder, GitConfig::users);
  if (!git)
    return fail(Errc::not_found, "no git repository here", folder.string(),
                "run 'git init' first: kernelgate compares commits. For two programs without git: kernelgate duel OLD "
                "NEW");
  const auto root = git->work_tree();
  if (!root) return pass_on(root);
  Outcome out{.manifest = *root / kManifestName, .found = {}};
  if (fs::exists(fs::symlink_status(out.manifest)))
    return fail(Errc::conflict, "there is a manifest already; it is left as it is", out.manifest.string(),
                "'kernelgate doctor' checks it; move it away to have a new one");
  auto files = files_of(*git, *root);
  if (!files) return pass_on(files);
  out.found = look_at(*files);
  std::ofstream file(out.manifest, std::ios::binary);
  file << manifest_text(out.found);
  if (!file.flush()) return fail(Errc::io, "cannot write the manifest", out.manifest.string());
  return out;
}

std::string describe(const Outcome& outcome) {
  const Found& found = outcome.found;
  std::string out = "wrote " + outcome.manifest.string() + "\n\nFound:\n";
  for (const FoundSuite& suite : found.suites)
    out += fmt::format("  {} ({}): {}\n", suite.name, to_string(suite.format), suite.where);
  if (found.suites.empty()) out += "  no benchmark program\n";
  out += "\nNot found, for you to edit:\n";
  if (found.suites.empty())
    out +=
        "  [[suite]]: name and run line of a program of Google Benchmark, NVBench or pytest-benchmark\n"
        "  [build]: the lines that build it\n";
  for (const std::string& note : found.notes) out += "  " + note + "\n";
  out += found.checks.empty() ? "  check: a program that proves the results before they are timed\n"
                              : "  check: perhaps " + found.checks.front() + "; it stands there as a comment\n";
  out += "  inputs: the files that count; now every file does\n";
  return out;
}

}  // namespace kernelgate::init
