// SPDX-License-Identifier: Apache-2.0
#include "platform/git/git.hpp"

#include <charconv>
#include <fstream>

#include "platform/git/run_git.hpp"

namespace kernelgate {
namespace {

namespace fs = std::filesystem;

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

Result<std::vector<CommitHash>> parse_commits(std::string_view text, char separator) {
  std::vector<CommitHash> out;
  for (const auto& word : split(text, separator)) {
    auto commit = CommitHash::parse(word);
    if (!commit) return pass_on(commit);
    out.push_back(std::move(*commit));
  }
  return out;
}

tl::unexpected<Error> no_such_commit(const std::string& what) {
  return fail(Errc::not_found, "no commit '" + what + "' here", {},
              "check the name; a commit that was never pushed or was force-pushed away cannot be fetched");
}

}  // namespace

Result<Git> Git::open(const fs::path& repository, GitConfig config) {
  std::error_code error;
  const auto folder = fs::absolute(repository, error);
  if (error || !fs::is_directory(folder, error))
    return fail(Errc::not_found, "no folder '" + repository.string() + "'");
  const auto ask = [&](const char* option) {
    return git_detail::run_git({"-C", folder.string()}, {.args = {"rev-parse", option}}, config);
  };
  auto git_dir = ask("--absolute-git-dir");
  if (!git_dir) {
    if (git_dir.error().what.find("not a git repository") == std::string::npos) return pass_on(git_dir);
    return fail(Errc::not_found, "'" + repository.string() + "' is not in a git repository", {},
                "run git init, or give --repo");
  }
  const auto top = ask("--show-toplevel");  // fails in a bare repository
  return Git(trimmed(*git_dir), top ? fs::path(trimmed(*top)) : fs::path(), config);
}

Result<fs::path> Git::work_tree() const {
  if (work_tree_.empty()) return fail(Errc::unsupported, "'" + git_dir_.string() + "' is bare: it has no work tree");
  return work_tree_;
}

Result<std::string> Git::call(const GitCall& call) const {
  return git_detail::run_git({"--git-dir=" + git_dir_.string()}, call, config_);
}

Result<CommitHash> Git::resolve(std::string_view revision) const {
  const std::string name(revision);
  if (name.empty() || name[0] == '-' || name.find('\0') != std::string::npos)
    return fail(Errc::invalid, "not a commit or branch: '" + name + "'");
  const auto out = call({.args = {"rev-parse", "--verify", "--quiet", name + "^{commit}"}});
  if (!out) return out.error().code == Errc::io ? no_such_commit(name) : pass_on(out);
  return CommitHash::parse(trimmed(*out));
}

bool Git::has_commit(const CommitHash& commit) const {
  return call({.args = {"cat-file", "-e", commit.str() + "^{commit}"}}).has_value();
}

Result<CommitFacts> Git::facts(const CommitHash& commit) const {
  if (!has_commit(commit)) return no_such_commit(commit.str());
  constexpr const char* kFormat =
      "--format=%T%x00%P%x00%ct%x00%an%x00%s%x00%(trailers:key=Hypothesis,valueonly,unfold,separator=%x20)";
  const auto out =
      call({.args = {"log", "-1", "--no-show-signature", "--no-color", "--encoding=UTF-8", kFormat, commit.str()}});
  if (!out) return pass_on(out);
  auto fields = split(trimmed(*out), '\0');
  fields.resize(6);
  auto tree = TreeHash::parse(fields[0]);
  if (!tree) return pass_on(tree);
  auto parents = parse_commits(fields[1], ' ');
  if (!parents) return pass_on(parents);
  CommitFacts facts{commit, std::move(*tree), std::move(*parents), fields[4], fields[3], 0, fields[5]};
  std::from_chars(fields[2].data(), fields[2].data() + fields[2].size(), facts.committed_at_s);
  return facts;
}

Result<TreeHash> Git::tree_of(const CommitHash& commit) const {
  const auto out = call({.args = {"rev-parse", "--verify", "--quiet", commit.str() + "^{tree}"}});
  if (!out) return out.error().code == Errc::io ? no_such_commit(commit.str()) : pass_on(out);
  return TreeHash::parse(trimmed(*out));
}

Result<std::optional<CommitHash>> Git::merge_base(const CommitHash& a, const CommitHash& b) const {
  for (const auto* commit : {&a, &b})
    if (!has_commit(*commit)) return no_such_commit(commit->str());
  // "rev-list" finds nothing without an error, where "merge-base" says so by exit code 1 alone.
  const auto related = call({.args = {"merge-base", "--all", a.str(), b.str()}});
  if (!related) {
    if (related.error().what.find("exit code 1") != std::string::npos) return std::optional<CommitHash>();
    return pass_on(related);
  }
  auto commits = parse_commits(trimmed(*related), '\n');
  if (!commits) return pass_on(commits);
  return commits->empty() ? std::nullopt : std::optional(commits->front());
}

Result<std::vector<CommitHash>> Git::first_parents(const CommitHash& commit, int count) const {
  if (!has_commit(commit)) return no_such_commit(commit.str());
  const auto out = call({.args = {"rev-list", "--first-parent", "--max-count=" + std::to_string(count), commit.str()}});
  if (!out) return pass_on(out);
  return parse_commits(trimmed(*out), '\n');
}

Result<std::string> Git::patch_id(const CommitHash& from, const CommitHash& to) const {
  auto patch =
      call({.args = {"diff-tree", "-r", "-p", "--no-ext-diff", "--no-textconv", "--no-color", from.str(), to.str()},
            .output_max = limits::kPatchMax});
  if (!patch) return patch.error().code == Errc::too_large ? Result<std::string>(std::string()) : pass_on(patch);
  const auto id = call({.args = {"patch-id", "--stable"}, .stdin_text = std::move(*patch)});
  if (!id) return pass_on(id);
  return id->substr(0, id->find(' '));
}

Result<bool> Git::is_shallow_at(const CommitHash& commit) const {
  const auto path = call({.args = {"rev-parse", "--path-format=absolute", "--git-path", "shallow"}});
  if (!path) return pass_on(path);
  std::ifstream file(trimmed(*path));
  for (std::string line; std::getline(file, line);)
    if (line == commit.str()) return true;
  return false;
}

Result<std::optional<std::string>> Git::show_file(const CommitHash& commit, std::string_view path) const {
  if (!has_commit(commit)) return no_such_commit(commit.str());
  const auto listed = call({.args = {"ls-tree", "-z", "--full-tree", commit.str(), "--", std::string(path)}});
  if (!listed) return pass_on(listed);
  const auto words = split(std::string_view(*listed).substr(0, std::min(listed->find('\t'), listed->size())), ' ');
  if (words.size() < 3 || words[1] != "blob" || words[0] == "120000") return std::optional<std::string>();
  auto text = blob(words[2]);
  if (!text) return pass_on(text);
  return std::optional(std::move(*text));
}

Result<std::string> Git::blob(std::string_view object) const {
  return call({.args = {"cat-file", "blob", std::string(object)}});
}

Result<std::vector<TreeEntry>> Git::list_tree(const CommitHash& commit) const {
  if (!has_commit(commit)) return no_such_commit(commit.str());
  const auto out = call({.args = {"ls-tree", "-r", "-z", "--full-tree", commit.str()}});
  if (!out) return pass_on(out);
  std::vector<TreeEntry> entries;
  for (const auto& line : split(*out, '\0')) {
    const auto tab = line.find('\t');
    const auto words = split(std::string_view(line).substr(0, tab), ' ');
    if (tab == std::string::npos || words.size() != 3) return fail(Errc::corrupt, "git ls-tree: unexpected line");
    entries.push_back({words[0], words[2], line.substr(tab + 1)});
  }
  return entries;
}

}  // namespace kernelgate
