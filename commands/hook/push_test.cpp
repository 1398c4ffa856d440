// SPDX-License-Identifier: Apache-2.0
// Real commits and pushes through installed hooks, in folders with spaces and quotes in their names.
#include <gmock/gmock.h>

#include "commands/hook/run_hook.hpp"
#include "tests/support/hook_fixture.hpp"

namespace kernelgate::hook {
namespace push_test {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const std::string kZero(40, '0');

class PushTest : public HookTest {
 protected:
  PushTest() : repository(folder.path / "it's a repo"), bare(folder.path / "the remote.git") {
    repository.git({"init", "--quiet", "--bare", "--initial-branch=main", bare.string()});
    repository.git({"remote", "add", "origin", bare.string()});
    first = repository.commit("first", {{"kernelgate.toml", "schema = 1\n"}}).str();
    repository.git({"push", "--quiet", "origin", "main"});
  }

  struct Said {
    int exit_code;
    std::string text;
  };
  Said run(const std::vector<std::string>& args) const {
    ProcessSpec spec;
    spec.argv = {"git"};
    spec.argv.insert(spec.argv.end(), args.begin(), args.end());
    spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin",
                "HOME=/nonexistent",
                "GIT_CONFIG_GLOBAL=/dev/null",
                "GIT_AUTHOR_NAME=Ada",
                "GIT_AUTHOR_EMAIL=a@b.c",
                "GIT_COMMITTER_NAME=Ada",
                "GIT_COMMITTER_EMAIL=a@b.c"};
    spec.cwd = repository.path;
    spec.merge_stderr = true;
    const auto result = run_process(spec);
    return {result->exit_code, result->out};
  }
  Said push(const std::string& what) const { return run({"push", "origin", what}); }
  bool arrived(const std::string& branch, const std::string& commit) const {
    return repository.git({"ls-remote", "origin", "refs/heads/" + branch}).rfind(commit, 0) == 0;
  }
  std::size_t waiting() const { return Queue(repository.path / ".git").waiting().size(); }

  TestRepository repository;
  fs::path bare;
  std::string first;
};

TEST_F(PushTest, PrePushBlocksOnAFailedHead) {
  for (const Conclusion conclusion : {Conclusion::regressed, Conclusion::broken, Conclusion::build_failed}) {
    FakeGate gate;
    gate.conclusion = conclusion;
    ASSERT_TRUE(install(request_for(repository.path, gate.url(), {"pre-push"})));
    const std::string head = repository.commit("slower").str();
    const Said said = push("main");
    EXPECT_NE(said.exit_code, 0) << said.text;
    EXPECT_THAT(said.text, HasSubstr("the push is blocked: " + std::string(to_string(conclusion))));
    EXPECT_THAT(said.text, HasSubstr("what the summary says")) << "the table is shown";
    EXPECT_FALSE(arrived("main", head));
  }
}

TEST_F(PushTest, PrePushLetsEverythingElseThrough) {
  for (const Conclusion conclusion :
       {Conclusion::passed, Conclusion::undecided, Conclusion::infrastructure, Conclusion::cancelled}) {
    FakeGate gate;
    gate.conclusion = conclusion;
    ASSERT_TRUE(install(request_for(repository.path, gate.url(), {"pre-push"})));
    const std::string head = repository.commit("change").str();
    const Said said = push("main");
    EXPECT_EQ(said.exit_code, 0) << said.text;
    EXPECT_THAT(said.text, HasSubstr(std::string(to_string(conclusion)))) << "and says so";
    EXPECT_TRUE(arrived("main", head));
  }
}

TEST_F(PushTest, PrePushNamesTheBaseOfEachBranch) {
  FakeGate gate;
  ASSERT_TRUE(install(request_for(repository.path, gate.url(), {"pre-push"})));
  const std::string second = repository.commit("second").str();
  ASSERT_EQ(push("main").exit_code, 0);
  repository.git({"checkout", "--quiet", "-b", "topic"});
  const std::string third = repository.commit("größe \"quoted\"").str();
  ASSERT_EQ(push("topic").exit_code, 0);
  ASSERT_EQ(push("v1").exit_code, 1) << "git itself refuses what does not exist";
  ASSERT_EQ(push(":topic").exit_code, 0) << "a deleted branch is nothing to measure";
  const auto triggers = gate.triggers();
  ASSERT_EQ(triggers.size(), 2U);
  EXPECT_EQ(triggers[0].commit, second);
  EXPECT_EQ(triggers[0].branch, "main");
  EXPECT_EQ(triggers[0].source, "pre-push");
  EXPECT_EQ(triggers[0].base.kind, wire::BaseKind::before);
  EXPECT_EQ(triggers[0].base.argument, first);
  ASSERT_TRUE(triggers[0].trees);
  EXPECT_EQ(triggers[0].trees->base_commit, first);
  EXPECT_EQ(triggers[0].trees->head_tree, repository.git({"rev-parse", second + "^{tree}"}));
  EXPECT_EQ(triggers[1].commit, third);
  EXPECT_EQ(triggers[1].subject, "größe \"quoted\"");
  EXPECT_EQ(triggers[1].base.kind, wire::BaseKind::merge_base);
  EXPECT_EQ(triggers[1].base.argument, "main");
  EXPECT_EQ(triggers[1].trees->base_commit, second);
}

TEST_F(PushTest, AnAbsentServerBlocksNobodyAndLosesNothing) {
  ASSERT_TRUE(install(request_for(repository.path, url_of_nobody(), {"pre-push"})));
  const std::string second = repository.commit("second").str();
  const Said said = push("main");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_TRUE(arrived("main", second));
  EXPECT_THAT(said.text, HasSubstr("cannot be reached"));
  EXPECT_THAT(said.text, HasSubstr("1 trigger(s) wait in "));
  EXPECT_EQ(waiting(), 1U);

  const FakeGate gate;
  ASSERT_TRUE(install(request_for(repository.path, gate.url(), {"pre-push"})));
  const std::string third = repository.commit("third").str();
  const Said next = push("main");
  EXPECT_EQ(next.exit_code, 0) << next.text;
  EXPECT_THAT(next.text, HasSubstr("(queued earlier)"));
  ASSERT_EQ(gate.triggers().size(), 2U);
  EXPECT_EQ(gate.triggers()[0].commit, second) << "the oldest goes first";
  EXPECT_EQ(gate.triggers()[1].commit, third);
  EXPECT_EQ(waiting(), 0U);
}

TEST_F(PushTest, AFailClosedHookRefusesWhatItGotNoVerdictFor) {
  const auto refused = [&](InstallRequest request) {
    request.fail_closed = true;
    const auto installed = install(request);
    EXPECT_TRUE(installed);
    const std::string head = repository.commit("change").str();
    const Said said = push("main");
    EXPECT_FALSE(arrived("main", head) && said.exit_code != 0) << said.text;
    return said.exit_code != 0 && said.text.find("refused") != std::string::npos;
  };
  EXPECT_TRUE(refused(request_for(repository.path, url_of_nobody(), {"pre-push"}))) << "the server is away";
  FakeGate gate;
  InstallRequest request = request_for(repository.path, gate.url(), {"pre-push"});
  for (const Conclusion conclusion : {Conclusion::infrastructure, Conclusion::cancelled}) {
    gate.conclusion = conclusion;
    EXPECT_TRUE(refused(request)) << to_string(conclusion);
  }
  gate.trigger_status = 403;
  EXPECT_TRUE(refused(request)) << "the server refuses the trigger";
  gate.trigger_status = 202;
  InstallRequest no_token = request;
  no_token.settings.token_file = folder.path / "absent";
  EXPECT_TRUE(refused(no_token));
  InstallRequest no_program = request;
  no_program.program = folder.path / "no such program";
  no_program.fail_closed = true;
  ASSERT_TRUE(install(no_program));
  EXPECT_NE(push("main").exit_code, 0);
  for (const Conclusion conclusion : {Conclusion::passed, Conclusion::undecided}) {
    gate.conclusion = conclusion;
    EXPECT_FALSE(refused(request)) << to_string(conclusion);
  }
}

TEST_F(PushTest, AFailClosedHookLetsDeletionsThroughWhateverWaits) {
  repository.git({"push", "--quiet", "origin", "main:topic"});
  InstallRequest request = request_for(repository.path, url_of_nobody(), {"pre-push"});
  request.fail_closed = true;
  ASSERT_TRUE(install(request));
  (void)repository.commit("change");
  EXPECT_NE(push("main").exit_code, 0);
  EXPECT_EQ(waiting(), 1U);
  const Said deleted = push(":topic");
  EXPECT_EQ(deleted.exit_code, 0) << deleted.text;
  EXPECT_FALSE(arrived("topic", first));
}

TEST_F(PushTest, AFailClosedHookSaysThatTheServerWasNotAsked) {
  FakeGate gate;
  InstallRequest request = request_for(repository.path, gate.url(), {"pre-push"});
  request.fail_closed = true;
  request.settings.token_file = folder.path / "absent";
  ASSERT_TRUE(install(request));
  (void)repository.commit("change");
  EXPECT_THAT(push("main").text, HasSubstr("the server could not be asked"));
}

TEST_F(PushTest, AFailClosedHookRefusesWhatIsNotJudgedInTime) {
  FakeGate gate;
  gate.is_endless = true;
  InstallRequest request = request_for(repository.path, gate.url(), {"pre-push"});
  request.settings.wait_most = std::chrono::seconds(2);
  request.fail_closed = true;
  ASSERT_TRUE(install(request));
  const std::string head = repository.commit("change").str();
  const Said said = push("main");
  EXPECT_NE(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("refused for want of a verdict, not judged yet"));
  EXPECT_FALSE(arrived("main", head));
  request.fail_closed = false;
  ASSERT_TRUE(install(request));
  EXPECT_EQ(push("main").exit_code, 0);
}

TEST_F(PushTest, FlushSendsWhatWaits) {
  ASSERT_TRUE(install(request_for(repository.path, url_of_nobody(), {"pre-push"})));
  repository.commit("second");
  ASSERT_EQ(push("main").exit_code, 0);
  const Status still_away = flush_queue(repository.path, false, stdout);
  ASSERT_FALSE(still_away);
  EXPECT_THAT(still_away.error().what, HasSubstr("1 trigger(s) still wait"));
  const FakeGate gate;
  ASSERT_TRUE(install(request_for(repository.path, gate.url(), {"pre-push"})));
  ASSERT_TRUE(flush_queue(repository.path, false, stdout));
  EXPECT_EQ(gate.triggers().size(), 1U);
  EXPECT_TRUE(flush_queue(repository.path, false, stdout)) << "nothing waits: no error";
}

TEST_F(PushTest, AWrongTokenFileBlocksNobodyAndLosesNothing) {
  const FakeGate gate;
  InstallRequest request = request_for(repository.path, gate.url(), {"pre-push"});
  request.settings.token_file = folder.path / "absent";
  ASSERT_TRUE(install(request));
  repository.commit("second");
  const Said said = push("main");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("cannot open the token file"));
  EXPECT_EQ(waiting(), 1U);
}

TEST_F(PushTest, WithoutWaitingItOnlyQueues) {
  FakeGate gate;
  gate.conclusion = Conclusion::regressed;
  InstallRequest request = request_for(repository.path, gate.url(), {"pre-push"});
  request.settings.wait = false;
  ASSERT_TRUE(install(request));
  repository.commit("slower");
  const Said said = push("main");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("is run 7, queued"));
  EXPECT_EQ(gate.triggers().size(), 1U);
}

TEST_F(PushTest, TheHookThatWasThereRunsFirstWithTheSameInput) {
  const fs::path hook = repository.path / ".git/hooks/pre-push";
  std::ofstream(hook) << "#!/bin/sh\nread local hash rest\necho \"saw $1 $local\"\ntest ! -e forbid\n";
  fs::permissions(hook, fs::perms::owner_all);
  const FakeGate gate;
  ASSERT_TRUE(install(request_for(repository.path, gate.url(), {"pre-push"})));
  repository.commit("second");
  const Said said = push("main");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("saw origin refs/heads/main"));
  EXPECT_EQ(gate.triggers().size(), 1U);
  repository.write("forbid", "x");
  repository.commit("third");
  EXPECT_NE(push("main").exit_code, 0) << "it may still block";
  EXPECT_EQ(gate.triggers().size(), 1U) << "and then nothing is measured";
}

TEST_F(PushTest, StagesCommitsBeforeThePush) {
  FakeGate gate;
  gate.conclusion = Conclusion::regressed;
  InstallRequest request = request_for(repository.path, gate.url(), {"pre-push"});
  request.settings.stage = "origin";
  ASSERT_TRUE(install(request));
  const std::string head = repository.commit("slower").str();
  EXPECT_NE(push("main").exit_code, 0);
  EXPECT_FALSE(arrived("main", head));
  EXPECT_EQ(repository.git({"ls-remote", "origin", "refs/kernelgate/*"}), head + "\trefs/kernelgate/" + head);
}

TEST_F(PushTest, StagesToARemoteWithARelativePath) {
  const FakeGate gate;
  InstallRequest request = request_for(repository.path, gate.url(), {"pre-push"});
  request.settings.stage = "origin";
  ASSERT_TRUE(install(request));
  const fs::path remote = repository.git({"remote", "get-url", "origin"});
  repository.git({"remote", "set-url", "origin", fs::relative(remote, repository.path).string()});
  const std::string head = repository.commit("next").str();
  const Said said = push("main");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_EQ(repository.git({"--git-dir=" + remote.string(), "rev-parse", "refs/kernelgate/" + head}), head);
}

TEST_F(PushTest, PostCommitHoldsACommitAgainstItsFirstParent) {
  const FakeGate gate;
  ASSERT_TRUE(install(request_for(repository.path, gate.url(), {"post-commit"})));
  const Said said = run({"commit", "--allow-empty", "-m", "second"});
  EXPECT_EQ(said.exit_code, 0) << said.text;
  ASSERT_EQ(gate.triggers().size(), 1U) << said.text;
  const wire::Trigger trigger = gate.triggers()[0];
  EXPECT_EQ(trigger.commit, repository.head().str());
  EXPECT_EQ(trigger.base.kind, wire::BaseKind::first_parent);
  EXPECT_EQ(trigger.trees->base_commit, first);
  EXPECT_EQ(trigger.branch, "main");
  EXPECT_EQ(trigger.source, "post-commit");
}

TEST_F(PushTest, PostCommitWorksInALinkedWorkTree) {
  const FakeGate gate;
  const fs::path linked = folder.path / "linked tree";
  repository.git({"worktree", "add", "--quiet", "-b", "topic", linked.string()});
  ASSERT_TRUE(install(request_for(repository.path, gate.url(), {"post-commit"})));
  EXPECT_EQ(run({"-C", linked.string(), "commit", "--allow-empty", "-m", "there"}).exit_code, 0);
  ASSERT_EQ(gate.triggers().size(), 1U);
  EXPECT_EQ(gate.triggers()[0].branch, "topic");
}

TEST_F(PushTest, PostReceiveTriggersEachPushedBranchOfABareRepository) {
  FakeGate gate;
  gate.conclusion = Conclusion::regressed;
  ASSERT_TRUE(install(request_for(bare, gate.url(), {})));
  const std::string second = repository.commit("second").str();
  repository.git({"branch", "topic"});
  const Said said = run({"push", "origin", "main", "topic"});
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("remote: kernelgate: "));
  const auto triggers = gate.triggers();
  ASSERT_EQ(triggers.size(), 2U) << said.text;
  EXPECT_EQ(triggers[0].source, "post-receive");
  EXPECT_EQ(triggers[0].base.kind, wire::BaseKind::before);
  EXPECT_EQ(triggers[0].base.argument, first);
  EXPECT_EQ(triggers[1].branch, "topic");
  EXPECT_EQ(triggers[1].base.kind, wire::BaseKind::merge_base);
}

TEST_F(PushTest, AFirstPushToTheDefaultBranchHasNoBase) {
  const FakeGate gate;
  const fs::path fresh = folder.path / "fresh.git";
  repository.git({"init", "--quiet", "--bare", "--initial-branch=main", fresh.string()});
  ASSERT_TRUE(install(request_for(fresh, gate.url(), {})));
  EXPECT_EQ(run({"push", fresh.string(), "main"}).exit_code, 0);
  ASSERT_EQ(gate.triggers().size(), 1U);
  EXPECT_EQ(gate.triggers()[0].base.argument, kZero);
  EXPECT_EQ(gate.triggers()[0].trees->base_commit, "");
}

TEST_F(PushTest, AHookWhoseProgramIsGoneLetsThrough) {
  const FakeGate gate;
  InstallRequest request = request_for(repository.path, gate.url(), {"pre-push"});
  request.program = folder.path / "no such program";
  ASSERT_TRUE(install(request));
  repository.commit("second");
  const Said said = push("main");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("is gone; this commit is not measured"));
}

}  // namespace push_test
}  // namespace kernelgate::hook
