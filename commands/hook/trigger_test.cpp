// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/trigger.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "commands/hook/make_trigger.hpp"
#include "core/units/digest.hpp"
#include "tests/support/hook_fixture.hpp"

namespace kernelgate::hook {
namespace trigger_test {

using testing::HasSubstr;

class TriggerTest : public HookTest {
 protected:
  TriggerTest() : repository(folder.path / "a repo"), out(std::tmpfile()) {
    first = repository.commit("first", {{"kernelgate.toml", "schema = 1\n"}}).str();
    repository.git({"checkout", "--quiet", "-b", "topic"});
    second = repository.commit("second", {{"a", "1"}}).str();
  }
  ~TriggerTest() override { std::fclose(out); }

  TriggerRequest request_to(const std::string& url) const {
    TriggerRequest request;
    request.server = url;
    request.token_file = token_file;
    request.repository = "kernels";
    request.folder = repository.path;
    return request;
  }
  std::string printed() const {
    std::string text(100000, '\0');
    std::rewind(out);
    text.resize(std::fread(text.data(), 1, text.size(), out));
    return text;
  }

  TestRepository repository;
  std::FILE* out;
  std::string first, second;
};

TEST_F(TriggerTest, HoldsABranchAgainstItsMergeBase) {
  const FakeGate gate;
  ASSERT_EQ(trigger(request_to(gate.url()), out, out).value(), 0);
  ASSERT_EQ(gate.triggers().size(), 1U);
  const wire::Trigger sent = gate.triggers()[0];
  EXPECT_EQ(sent.commit, second);
  EXPECT_EQ(sent.branch, "topic");
  EXPECT_EQ(sent.subject, "second");
  EXPECT_EQ(sent.author, "Ada Lovelace");
  EXPECT_EQ(sent.source, "cli");
  EXPECT_EQ(sent.base.kind, wire::BaseKind::merge_base);
  EXPECT_EQ(sent.base.argument, "main");
  ASSERT_TRUE(sent.trees);
  EXPECT_EQ(sent.trees->base_commit, first);
  EXPECT_EQ(sent.trees->manifest_sha256, sha256_hex("schema = 1\n"));
  EXPECT_THAT(printed(), HasSubstr("run 7 queued: " + gate.url() + "/runs/7"));
}

TEST_F(TriggerTest, TakesTheBaseItIsGiven) {
  const FakeGate gate;
  TriggerRequest request = request_to(gate.url());
  request.base = "main";
  request.commit = "topic";
  ASSERT_TRUE(trigger(request, out, out));
  EXPECT_EQ(gate.triggers()[0].base.kind, wire::BaseKind::explicit_commit);
  EXPECT_EQ(gate.triggers()[0].base.argument, first);
}

TEST_F(TriggerTest, AForcedTriggerIsANewRunEachTime) {
  const FakeGate gate;
  TriggerRequest request = request_to(gate.url());
  request.force = true;
  ASSERT_TRUE(trigger(request, out, out));
  ASSERT_TRUE(trigger(request, out, out));
  EXPECT_TRUE(gate.triggers()[0].force);
  EXPECT_NE(gate.triggers()[0].idempotency_key, gate.triggers()[1].idempotency_key);
}

TEST_F(TriggerTest, WaitingGivesTheExitCodeOfTheConclusion) {
  const std::pair<Conclusion, int> codes[] = {{Conclusion::passed, 0},    {Conclusion::regressed, 1},
                                              {Conclusion::broken, 1},    {Conclusion::build_failed, 1},
                                              {Conclusion::undecided, 3}, {Conclusion::infrastructure, 4},
                                              {Conclusion::cancelled, 4}};
  for (const auto& [conclusion, code] : codes) {
    FakeGate gate;
    gate.conclusion = conclusion;
    TriggerRequest request = request_to(gate.url());
    request.wait = true;
    EXPECT_EQ(trigger(request, out, out).value(), code) << to_string(conclusion);
  }
}

TEST_F(TriggerTest, WaitingPrintsJsonWhenAsked) {
  const FakeGate gate;
  TriggerRequest request = request_to(gate.url());
  request.wait = request.json = true;
  std::FILE* progress = std::tmpfile();
  ASSERT_TRUE(trigger(request, out, progress));
  std::fclose(progress);
  EXPECT_EQ(nlohmann::json::parse(printed()).at("conclusion"), "passed");
}

TEST_F(TriggerTest, AnUnknownCommitIsTheCallersMistake) {
  const FakeGate gate;
  for (const std::string& unknown : {std::string("no-such-branch"), std::string(40, 'd'), std::string("HEAD~99")}) {
    TriggerRequest request = request_to(gate.url());
    request.commit = unknown;
    const auto code = trigger(request, out, out);
    ASSERT_FALSE(code) << unknown;
    EXPECT_EQ(code.error().code, Errc::not_found);
    EXPECT_THAT(code.error().what, HasSubstr(unknown));
    request.commit = "HEAD";
    request.base = unknown;
    EXPECT_FALSE(trigger(request, out, out)) << "as base: " << unknown;
  }
  EXPECT_TRUE(gate.triggers().empty());
}

TEST_F(TriggerTest, TreesThatCannotBeFoundOutAreLeftOut) {
  const auto commit = CommitHash::parse(second).value();
  const auto made = make_trigger(repository.open(), {.repository = "kernels",
                                                     .commit = commit,
                                                     .branch = "",
                                                     .base = {wire::BaseKind::merge_base, "no-such-branch"},
                                                     .source = "cli",
                                                     .remote = ""});
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_FALSE(made->trees);
}

}  // namespace trigger_test
}  // namespace kernelgate::hook
