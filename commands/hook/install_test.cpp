// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/install.hpp"

#include <gmock/gmock.h>

#include "commands/hook/run_hook.hpp"
#include "tests/support/hook_fixture.hpp"

namespace kernelgate::hook {
namespace install_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_hook(const fs::path& path, const std::string& body) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << "#!/bin/sh\n" + body;
  fs::permissions(path, fs::perms::owner_all);
}

TEST_F(HookTest, KeepsSettingsInTheRepositorysConfig) {
  const TestRepository repository(folder.path / "a repo");
  InstallRequest request = request_for(repository.path, "http://127.0.0.1:1", {"pre-push", "post-commit"});
  request.settings.stage = "origin";
  request.settings.wait = false;
  request.settings.wait_most = std::chrono::seconds{42};
  ASSERT_TRUE(install(request));
  const auto settings = read_settings(repository.open()).value();
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->server, "http://127.0.0.1:1");
  EXPECT_EQ(settings->token_file, token_file);
  EXPECT_EQ(settings->repository, "kernels");
  EXPECT_EQ(settings->default_branch, "main");
  EXPECT_EQ(settings->stage, "origin");
  EXPECT_FALSE(settings->wait);
  EXPECT_EQ(settings->wait_most, std::chrono::seconds{42});
  EXPECT_TRUE(is_ours(repository.path / ".git/hooks/pre-push"));
  EXPECT_TRUE(is_ours(repository.path / ".git/hooks/post-commit"));
}

TEST_F(HookTest, InstallingTwiceIsInstallingOnce) {
  const TestRepository repository(folder.path / "repo");
  const fs::path hook = repository.path / ".git/hooks/pre-push";
  write_hook(hook, "exit 7\n");
  ASSERT_TRUE(install(request_for(repository.path, "http://h:1", {})));
  ASSERT_TRUE(install(request_for(repository.path, "http://h:2", {})));
  EXPECT_EQ(text_of(hook.string() + std::string(kPreviousSuffix)), "#!/bin/sh\nexit 7\n");
  EXPECT_EQ(read_settings(repository.open()).value()->server, "http://h:2");
  ASSERT_TRUE(uninstall(repository.path));
  EXPECT_EQ(text_of(hook), "#!/bin/sh\nexit 7\n") << "the old hook is back";
  EXPECT_FALSE(read_settings(repository.open()).value());
  ASSERT_TRUE(uninstall(repository.path)) << "and doing it again is no error";
}

TEST_F(HookTest, DoesNotDropOneOfTwoForeignHooks) {
  const TestRepository repository(folder.path / "repo");
  const fs::path hook = repository.path / ".git/hooks/pre-push";
  write_hook(hook, "exit 1\n");
  write_hook(hook.string() + std::string(kPreviousSuffix), "exit 2\n");
  const auto done = install(request_for(repository.path, "http://h:1", {}));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::conflict);
}

TEST_F(HookTest, FollowsTheRepositorysOwnHooksFolder) {
  const TestRepository repository(folder.path / "repo");
  repository.git({"config", "core.hooksPath", "my hooks"});
  ASSERT_TRUE(install(request_for(repository.path, "http://h:1", {"pre-push"})));
  EXPECT_TRUE(is_ours(repository.path / "my hooks/pre-push"));
}

TEST_F(HookTest, LinkedWorkTreesShareTheHooks) {
  const TestRepository repository(folder.path / "repo");
  repository.commit("first");
  repository.git({"worktree", "add", "--quiet", "-b", "topic", (folder.path / "linked tree").string()});
  ASSERT_TRUE(install(request_for(folder.path / "linked tree", "http://h:1", {"post-commit"})));
  EXPECT_TRUE(is_ours(repository.path / ".git/hooks/post-commit"));
}

TEST_F(HookTest, RefusesHooksThatGitWouldNeverRun) {
  const TestRepository repository(folder.path / "repo");
  for (const char* name : {"post-receive", "pre-commit", "../x", ""}) {
    const auto done = install(request_for(repository.path, "http://h:1", {name}));
    ASSERT_FALSE(done) << name;
    EXPECT_EQ(done.error().code, Errc::invalid) << name;
  }
  repository.git({"init", "--bare", "--quiet", "bare.git"});
  EXPECT_FALSE(install(request_for(repository.path / "bare.git", "http://h:1", {"pre-push"})));
  EXPECT_TRUE(install(request_for(repository.path / "bare.git", "http://h:1", {})));
  EXPECT_TRUE(is_ours(repository.path / "bare.git/hooks/post-receive"));
}

TEST_F(HookTest, RefusesAFolderWithoutARepository) {
  const auto done = install(request_for(folder.path, "http://h:1", {}));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::not_found);
}

TEST_F(HookTest, FindsTheDefaultBranch) {
  const TestRepository repository(folder.path / "repo");
  repository.git({"symbolic-ref", "HEAD", "refs/heads/master"});
  repository.commit("first");
  InstallRequest request = request_for(repository.path, "http://h:1", {});
  request.settings.default_branch.clear();
  ASSERT_TRUE(install(request));
  EXPECT_EQ(read_settings(repository.open()).value()->default_branch, "master");
}

TEST_F(HookTest, WhatGitPassesIsNeverTakenForAFlagOrACommand) {
  EXPECT_THAT(hook_script("pre-push", "/opt/it's here/kernelgate"),
              HasSubstr("'/opt/it'\\''s here/kernelgate' hook run pre-push -- \"$@\"\n"));
}

TEST_F(HookTest, StatusOfARepositoryWithoutHooksSaysWhatToDo) {
  const TestRepository repository(folder.path / "repo");
  const Status status = print_status(repository.path, stdout);
  ASSERT_FALSE(status);
  EXPECT_THAT(to_string(status.error()), HasSubstr("kernelgate hook install"));
}

}  // namespace install_test
}  // namespace kernelgate::hook
