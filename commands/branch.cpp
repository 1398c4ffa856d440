// SPDX-License-Identifier: Apache-2.0
#include "commands/branch.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace kernelgate::local {
namespace {

// Without its last line break; empty where git refuses.
std::string line_of(const Git& git, std::vector<std::string> args) {
  const auto out = git.call({.args = std::move(args)});
  return out ? out->substr(0, out->find('\n')) : std::string();
}

bool is_branch(const Git& git, const std::string& name) {
  return !line_of(git, {"rev-parse", "--verify", "--quiet", "refs/heads/" + name}).empty();
}

}  // namespace

std::string default_branch_of(const Git& git) {
  const std::string remote = line_of(git, {"symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"});
  const std::string prefix = "refs/remotes/origin/";
  if (remote.starts_with(prefix)) return remote.substr(prefix.size());
  return !is_branch(git, "main") && is_branch(git, "master") ? "master" : "main";
}

std::string branch_of(const Git& git, const std::string& revision, const CommitHash& commit) {
  if (revision == "HEAD") {
    const std::string on = line_of(git, {"symbolic-ref", "--quiet", "--short", "HEAD"});
    if (!on.empty()) return on;
  } else if (is_branch(git, revision)) {
    return revision;
  }
  const auto listed =
      git.call({.args = {"for-each-ref", "--contains", commit.str(), "--format=%(refname:lstrip=2)", "refs/heads"}});
  if (!listed) return {};
  std::vector<std::string> names;
  std::istringstream lines(*listed);
  for (std::string name; std::getline(lines, name);) names.push_back(name);
  const std::string main = default_branch_of(git);
  if (std::find(names.begin(), names.end(), main) != names.end()) return main;
  return names.empty() ? std::string() : names.front();
}

}  // namespace kernelgate::local
