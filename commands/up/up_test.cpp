// SPDX-License-Identifier: Apache-2.0
// Real servers and runners: this test program is both (commands/hook/hook_test_main.cpp).
#include "commands/up/up.hpp"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/token_file.hpp"
#include "commands/commands.hpp"
#include "commands/demo/needs.hpp"
#include "commands/hook/install.hpp"
#include "commands/hook/reach.hpp"
#include "commands/up/background.hpp"
#include "tests/support/hook_fixture.hpp"

namespace kernelgate::up {
namespace up_test {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kManifest =
    "schema = 1\n[build]\nbuild = \"\"\n[[suite]]\nname = \"s\"\nrun = \"sh {source}/suite\"\n";

class Up : public testing::Test {
 protected:
  Up() { repository.commit("first", {{"kernelgate.toml", kManifest}}); }
  ~Up() override { (void)take_down(repository.path); }

  Request request() const {
    return {.program = fs::read_symlink("/proc/self/exe"), .repository = repository.path, .no_sandbox = true};
  }
  std::string refusal(const Request& wanted) const {
    const auto running = bring_up(wanted);
    return running ? "no error" : to_string(running.error());
  }

  TemporaryFolder folder{"up's"};
  TestRepository repository{folder.path / "kernels"};
  const fs::path state = repository.path / ".git/kernelgate/up";
};

int mode_of(const fs::path& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 ? static_cast<int>(facts.st_mode & 0777) : -1;
}

TEST_F(Up, BringsUpServerRunnerAndHookAndTakesThemDown) {
  const auto running = bring_up(request());
  ASSERT_TRUE(running) << to_string(running.error());
  ASSERT_THAT(running->parts, SizeIs(2));
  for (const Part& part : running->parts) {
    EXPECT_TRUE(part.started) << part.name;
    EXPECT_EQ(kill(part.pid, 0), 0) << part.name;
    EXPECT_NE(getpgid(part.pid), getpgrp()) << "an interrupt at the terminal is for us alone";
  }
  auto client = open_client({.server = running->url}, running->admin_token);
  ASSERT_TRUE(client);
  EXPECT_EQ(client->repository("kernels")->url, repository.path.string());
  EXPECT_EQ(running->login_url, running->url + "/#token=" + *read_token_file(running->admin_token));
  EXPECT_TRUE(hook::is_ours(repository.path / ".git/hooks/pre-push"));
  EXPECT_THAT(describe(*running), HasSubstr(running->login_url));

  const auto said = take_down(repository.path);
  ASSERT_TRUE(said) << to_string(said.error());
  EXPECT_THAT(*said, Contains("the server (pid " + std::to_string(running->parts[0].pid) + ") has ended"));
  for (const Part& part : running->parts) EXPECT_NE(kill(part.pid, 0), 0) << part.name;
  EXPECT_FALSE(fs::exists(repository.path / ".git/hooks/pre-push"));
}

TEST_F(Up, NobodyElseMayReadWhatItKeeps) {
  ASSERT_TRUE(bring_up(request()));
  EXPECT_EQ(mode_of(state), 0700);
  for (const char* file : {"admin.token", "runner.token", "trigger.token", "server.log", "runner.log"})
    EXPECT_EQ(mode_of(state / file), 0600) << file;
}

TEST_F(Up, TwiceIsOnceAndSaysSo) {
  const auto first = bring_up(request());
  ASSERT_TRUE(first) << to_string(first.error());
  const auto second = bring_up(request());
  ASSERT_TRUE(second) << to_string(second.error());
  EXPECT_EQ(second->url, first->url);
  EXPECT_EQ(second->login_url, first->login_url);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(second->parts[i].pid, first->parts[i].pid);
    EXPECT_FALSE(second->parts[i].started);
  }
  EXPECT_THAT(describe(*second), HasSubstr("runs already"));
  Request elsewhere = request();
  elsewhere.listen = "127.0.0.1:1";
  EXPECT_THAT(refusal(elsewhere), HasSubstr("runs already, at "));
}

TEST_F(Up, AfterADownItGoesOnAtTheSamePlace) {
  const auto first = bring_up(request());
  ASSERT_TRUE(first);
  ASSERT_TRUE(take_down(repository.path));
  const auto second = bring_up(request());
  ASSERT_TRUE(second) << to_string(second.error());
  EXPECT_EQ(second->login_url, first->login_url) << "the same port and the same token";
}

TEST_F(Up, ADeadPartIsStartedAnewAndAForeignNumberIsLeftAlone) {
  const auto first = bring_up(request());
  ASSERT_TRUE(first);
  const Background runner("runner", state);
  ASSERT_TRUE(runner.stop(std::chrono::seconds(20)));
  // A file from before: the number is in use now, by a process that began at another time.
  std::ofstream(state / "runner.pid") << getpid() << " 1\n";
  EXPECT_EQ(runner.running(), 0);
  const auto second = bring_up(request());
  ASSERT_TRUE(second) << to_string(second.error());
  EXPECT_FALSE(second->parts[0].started);
  EXPECT_TRUE(second->parts[1].started);
  EXPECT_NE(second->parts[1].pid, getpid());
  for (const char* text : {"", "x", "0 5", "-1 5", "999999999 1"}) {
    std::ofstream(folder.path / "odd.pid") << text;
    EXPECT_EQ(Background("odd", folder.path).running(), 0) << text;
  }
}

TEST_F(Up, ATakenPortIsSaidWithTheWayOut) {
  ScriptedServer other([](const std::string&, int) { return std::string(); });
  Request wanted = request();
  wanted.listen = other.url().substr(7);
  EXPECT_THAT(refusal(wanted), HasSubstr("another program listens at " + wanted.listen));
  EXPECT_THAT(refusal(wanted), HasSubstr("kernelgate up --listen 127.0.0.1:0"));
  wanted.listen = "here";
  EXPECT_THAT(refusal(wanted), HasSubstr("--listen here"));
}

TEST_F(Up, WithoutAManifestItSaysHowToGetOne) {
  fs::remove(repository.path / "kernelgate.toml");
  EXPECT_THAT(refusal(request()), HasSubstr("'kernelgate init' writes one"));
  repository.write("kernelgate.toml", "schema = 2\n");
  EXPECT_THAT(refusal(request()), HasSubstr("kernelgate.toml:1:"));
  EXPECT_FALSE(fs::exists(state)) << "nothing was begun";
}

TEST_F(Up, AManifestThatIsNotCommittedIsSaid) {
  const TestRepository fresh(folder.path / "fresh");
  fresh.write("kernelgate.toml", kManifest);
  Request wanted = request();
  wanted.repository = fresh.path;
  wanted.hook = false;
  const auto running = bring_up(wanted);
  (void)take_down(fresh.path);
  ASSERT_TRUE(running) << to_string(running.error());
  EXPECT_THAT(running->notes, ElementsAre(HasSubstr("not committed yet")));
  EXPECT_FALSE(fs::exists(fresh.path / ".git/hooks/pre-push")) << "--no-hook";
}

TEST_F(Up, WhatEndsAtOnceLeavesItsLastWords) {
  Request wanted = request();
  wanted.cpus = {4095};
  EXPECT_THAT(refusal(wanted), HasSubstr("the runner ended at once: "));
  EXPECT_THAT(refusal(wanted), HasSubstr("4095"));
}

TEST_F(Up, DownWithoutUpSaysThatNothingRan) {
  const auto said = take_down(repository.path);
  ASSERT_TRUE(said);
  EXPECT_THAT(*said, Contains("the server did not run"));
  EXPECT_THAT(*said, Contains("the runner did not run"));
  EXPECT_FALSE(take_down(folder.path)) << "no repository";
}

TEST_F(Up, DownLeavesAHookOfAnotherServer) {
  ASSERT_TRUE(bring_up(request()));
  const auto git = repository.open();
  hook::Settings settings = *hook::read_settings(git).value();
  settings.server = "http://127.0.0.1:1";
  ASSERT_TRUE(hook::write_settings(git, settings));
  ASSERT_TRUE(take_down(repository.path));
  EXPECT_TRUE(hook::is_ours(repository.path / ".git/hooks/pre-push"));
}

TEST_F(Up, AHookIsInstalledOnlyWithATokenThatCanAskItsServer) {
  const auto running = bring_up(request());
  ASSERT_TRUE(running) << to_string(running.error());
  hook::Settings settings;
  settings.server = running->url;
  settings.token_file = state / "trigger.token";
  settings.repository = "kernels";
  EXPECT_EQ(hook::check_reach(settings).value(), "");
  const auto refused = [](const hook::Settings& wanted) {
    const auto said = hook::check_reach(wanted);
    return said ? "no error: " + *said : to_string(said.error());
  };
  hook::Settings wrong = settings;
  wrong.repository = "kernel";
  EXPECT_THAT(refused(wrong), HasSubstr("'kernelgate repository add' registers it"));
  wrong = settings;
  wrong.token_file = state / "runner.token";
  EXPECT_THAT(refused(wrong), HasSubstr("a token of role runner cannot ask for runs"));
  wrong.token_file = folder.path / "unknown.token";
  std::ofstream(wrong.token_file) << "kg_" + std::string(64, 'f');
  fs::permissions(wrong.token_file, fs::perms::owner_read);
  EXPECT_THAT(refused(wrong), HasSubstr("token"));
  wrong.token_file = folder.path / "none";
  EXPECT_THAT(refused(wrong), HasSubstr("cannot open the token file"));
  ASSERT_TRUE(take_down(repository.path));
  EXPECT_THAT(refused(settings), HasSubstr("no error: the server does not answer now"));
}

TEST_F(Up, TheCommandsSayWhatTheyNeed) {
  const auto said = [](std::vector<const char*> words) {
    words.insert(words.begin(), "kernelgate");
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    const int code = cli::run(static_cast<int>(words.size()), words.data());
    const std::string out = testing::internal::GetCapturedStdout();
    return std::pair(code, out + testing::internal::GetCapturedStderr());
  };
  const auto [code, text] = said({"up", "--repo", folder.path.c_str()});
  EXPECT_EQ(code, 2) << text;
  const auto [down, ended] = said({"down", "-C", repository.path.c_str()});
  EXPECT_EQ(down, 0) << ended;
  EXPECT_THAT(ended, HasSubstr("the runner did not run"));
}

}  // namespace up_test
}  // namespace kernelgate::up
