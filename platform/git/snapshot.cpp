// SPDX-License-Identifier: Apache-2.0
#include "platform/git/git.hpp"
#include "platform/process/scratch_folder.hpp"

namespace kernelgate {
namespace {

namespace fs = std::filesystem;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

using Environment = std::vector<std::pair<std::string, std::string>>;

Result<TreeHash> write_tree(const Git& git, const fs::path& work_tree, const fs::path& index) {
  const auto original = git.call({.args = {"rev-parse", "--path-format=absolute", "--git-path", "index"}});
  if (!original) return pass_on(original);
  std::error_code error;
  const fs::path from = first_line(*original);
  // Starting from a copy keeps git from reading every file again; a repository without an index has none to copy.
  // The copy keeps the index's time, by which git tells which files may have changed in the same instant.
  if (fs::exists(from, error) && fs::copy_file(from, index, error))
    fs::last_write_time(index, fs::last_write_time(from, error), error);
  if (error) return fail(Errc::io, "cannot copy '" + from.string() + "': " + error.message());
  const Environment env{{"GIT_INDEX_FILE", index.string()}};
  const auto added =
      git.call({.args = {"-C", work_tree.string(), "--work-tree=" + work_tree.string(), "add", "--all"}, .env = env});
  if (!added) return pass_on(added);
  const auto tree = git.call({.args = {"write-tree"}, .env = env});
  if (!tree) return pass_on(tree);
  return TreeHash::parse(first_line(*tree));
}

}  // namespace

Result<CommitHash> snapshot_work_tree(const Git& git) {
  const auto work_tree = git.work_tree();
  if (!work_tree) return pass_on(work_tree);
  const ScratchFolder folder("git");
  if (folder.path().empty()) return fail(Errc::io, "cannot make a temporary folder");
  const auto tree = write_tree(git, *work_tree, folder.path() / "index");
  if (!tree) return pass_on(tree);

  std::string when = "@0 +0000";
  std::vector<std::string> args{"commit-tree", tree->str(), "-m", "Uncommitted changes"};
  if (const auto head = git.resolve("HEAD")) {
    const auto facts = git.facts(*head);
    if (!facts) return pass_on(facts);
    if (facts->tree == *tree) return *head;
    // HEAD's date, so that the same content is the same commit however often it is taken.
    when = "@" + std::to_string(facts->committed_at_s) + " +0000";
    args.insert(args.end(), {"-p", head->str()});
  }
  Environment env;
  for (const std::string who : {"AUTHOR", "COMMITTER"}) {
    env.emplace_back("GIT_" + who + "_NAME", "kernelgate");
    env.emplace_back("GIT_" + who + "_EMAIL", "kernelgate@localhost");
    env.emplace_back("GIT_" + who + "_DATE", when);
  }
  const auto commit = git.call({.args = std::move(args), .env = std::move(env)});
  if (!commit) return pass_on(commit);
  return CommitHash::parse(first_line(*commit));
}

}  // namespace kernelgate
