// SPDX-License-Identifier: Apache-2.0
#pragma once

// A real git repository in a temporary folder, for tests: files are written and committed in one call. Throws on
// failure.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/git/git.hpp"
#include "platform/process/process.hpp"
#include "runner/sandbox/ownership.hpp"

namespace kernelgate {

class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& name) {
    auto pattern = (std::filesystem::temp_directory_path() / ("kg " + name + " XXXXXX")).string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    path = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { (void)remove_tree(path); }
  std::filesystem::path path;
};

class TestRepository {
 public:
  using Files = std::map<std::string, std::string>;

  explicit TestRepository(std::filesystem::path where) : path(std::move(where)) {
    std::filesystem::create_directories(path);
    git({"init", "--quiet", "--initial-branch=main", "."});
  }

  std::string git(const std::vector<std::string>& args) const {
    ProcessSpec spec;
    spec.argv = {"git", "-c", "protocol.file.allow=always"};
    spec.argv.insert(spec.argv.end(), args.begin(), args.end());
    spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin",   "HOME=/nonexistent",
                "GIT_CONFIG_GLOBAL=/dev/null",         "GIT_AUTHOR_NAME=Ada Lovelace",
                "GIT_AUTHOR_EMAIL=ada@example.org",    "GIT_COMMITTER_NAME=Ada Lovelace",
                "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_CONFIG_COUNT=1",
                "GIT_CONFIG_KEY_0=safe.directory",     "GIT_CONFIG_VALUE_0=*"};
    spec.cwd = path;
    const auto result = run_process(spec);
    if (!result) throw std::runtime_error(to_string(result.error()));
    if (!result->ok()) throw std::runtime_error("git " + args.front() + ": " + result->err);
    return result->out.substr(0, result->out.find_last_not_of('\n') + 1);
  }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << text;
  }

  // Writes the files (an empty text removes one) and commits everything.
  CommitHash commit(const std::string& subject, const Files& files = {}) const {
    for (const auto& [name, text] : files) {
      if (text.empty())
        std::filesystem::remove(path / name);
      else
        write(name, text);
    }
    git({"add", "--all"});
    git({"commit", "--quiet", "--allow-empty", "-m", subject});
    return head();
  }

  CommitHash head() const { return *CommitHash::parse(git({"rev-parse", "HEAD"})); }
  Git open() const {
    auto opened = Git::open(path, GitConfig::isolated);
    if (!opened) throw std::runtime_error(to_string(opened.error()));
    return *opened;
  }

  std::filesystem::path path;
};

}  // namespace kernelgate
