// SPDX-License-Identifier: Apache-2.0
#include "runner/job/job.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "core/decision/decide.hpp"
#include "tests/support/table_repository.hpp"

namespace kernelgate {
namespace job_test {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class JobTest : public testing::Test {
 protected:
  RunDecision judge(const CommitHash& head, std::optional<CommitHash> base = {}) {
    return repository_.judge(request_for(head, std::move(base)));
  }

  JobRequest request_for(const CommitHash& head, std::optional<CommitHash> base = {}) {
    return repository_.request_for(head, std::move(base));
  }

  static Verdict verdict_of(const RunDecision& decision, const std::string& benchmark) {
    for (const auto& comparison : decision.comparisons)
      if (comparison.benchmark == benchmark) return comparison.verdict;
    ADD_FAILURE() << "no comparison of " << benchmark << ": " << decision.summary;
    return Verdict::undecided;
  }

  TableRepository repository_;
};

TEST_F(JobTest, TimesTellApartWhatChanged) {
  repository_.commit({{"times", "same\t100\nslow\t100\nfast\t100\ngone\t7\n"}});
  const auto head = repository_.commit({{"times", "same\t100\nslow\t140\nfast\t60\nnew\t7\n"}});
  const auto decision = judge(head);
  EXPECT_EQ(decision.conclusion, Conclusion::regressed);
  EXPECT_EQ(verdict_of(decision, "same"), Verdict::unchanged);
  EXPECT_EQ(verdict_of(decision, "slow"), Verdict::regressed);
  EXPECT_EQ(verdict_of(decision, "fast"), Verdict::improved);
  EXPECT_EQ(verdict_of(decision, "gone"), Verdict::missing);
  EXPECT_EQ(verdict_of(decision, "new"), Verdict::added);
  EXPECT_THAT(repository_.reporter.logs, Contains(testing::Key("build-head")));
  EXPECT_FALSE(repository_.reporter.processes.empty());
}

TEST_F(JobTest, ARootCommitIsAdded) {
  const auto decision = judge(repository_.commit({{"times", "a\t100\n"}}));
  EXPECT_EQ(decision.conclusion, Conclusion::passed);
  EXPECT_EQ(decision.reason, "no_base");
  EXPECT_EQ(verdict_of(decision, "a"), Verdict::added);
}

TEST_F(JobTest, WrongNumbersAreNeverTimed) {
  repository_.commit({{"times", "a\t100\n"}});
  const auto head = repository_.commit({{"check.sh", repository_.failing_check("0.01234567")}});
  const auto decision = judge(head);
  EXPECT_EQ(decision.conclusion, Conclusion::broken);
  EXPECT_EQ(verdict_of(decision, "square"), Verdict::broken);
  EXPECT_THAT(decision.comparisons.front().fingerprint, HasSubstr("square wrong_value 0.0123457"));
  EXPECT_THAT(repository_.reporter.processes, IsEmpty());
}

TEST_F(JobTest, CrashesAndHangsAreNamed) {
  repository_.commit({{"times", "a\t100\nb\t100\nc\t100\n"}});
  const auto head = repository_.commit({{"times", "a\t100\nb\t100\tcrash\nc\t100\thang\n"}});
  const auto decision = judge(head);
  EXPECT_EQ(decision.conclusion, Conclusion::broken);
  EXPECT_EQ(verdict_of(decision, "a"), Verdict::unchanged);
  EXPECT_EQ(verdict_of(decision, "b"), Verdict::crashed);
  EXPECT_EQ(verdict_of(decision, "c"), Verdict::timed_out);
}

TEST_F(JobTest, ACheckThatCrashesOrHangsIsNamed) {
  const auto base = repository_.commit({{"times", "a\t100\n"}});
  auto decision = judge(repository_.commit({{"check.sh", "kill -SEGV $$\n"}}), base);
  EXPECT_EQ(verdict_of(decision, "check program"), Verdict::crashed);
  decision = judge(repository_.commit({{"check.sh", "sleep 600\n"}}), base);
  EXPECT_EQ(verdict_of(decision, "check program"), Verdict::timed_out);
}

TEST_F(JobTest, AHeadThatDoesNotBuildIsTheCommitsFault) {
  repository_.commit({{"times", "a\t100\n"}});
  const auto decision = judge(repository_.commit({{"build.sh", "echo 'no such header'; exit 1\n"}}));
  EXPECT_EQ(decision.conclusion, Conclusion::build_failed);
  EXPECT_THAT(repository_.reporter.logs["build-head"], HasSubstr("no such header"));
}

TEST_F(JobTest, AChangeOfNoInputIsNothingToMeasure) {
  repository_.commit({{"times", "a\t100\n"}});
  const auto decision = judge(repository_.commit({{"README", "words\n"}}));
  EXPECT_EQ(decision.conclusion, Conclusion::passed);
  EXPECT_EQ(decision.reason, "nothing_to_measure");
  EXPECT_THAT(repository_.reporter.logs, IsEmpty());
}

TEST_F(JobTest, TheSameExecutableIsNotTimed) {
  const std::string program = "#include <stdio.h>\nint main(int n, char** a) { (void)a; puts(\"a\"); return n > 9; }\n";
  repository_.commit({{"suite.c", program}, {"build.sh", repository_.compiling_build()}});
  const auto decision = judge(repository_.commit({{"suite.c", "/* a comment */" + program}}));
  EXPECT_EQ(decision.conclusion, Conclusion::passed) << decision.summary;
  EXPECT_EQ(verdict_of(decision, "a"), Verdict::identical);
  EXPECT_THAT(repository_.reporter.processes, IsEmpty());
}

TEST_F(JobTest, ABrokenBaseGivesWayToItsNearestGoodAncestor) {
  const auto good = repository_.commit({{"times", "a\t100\n"}});
  const auto unbuildable = repository_.commit({{"build.sh", "exit 1\n"}});
  const auto wrong =
      repository_.commit({{"build.sh", repository_.copying_build()}, {"check.sh", repository_.failing_check("0.5")}});
  const auto head = repository_.commit({{"check.sh", repository_.passing_check()}, {"times", "a\t150\n"}});
  const auto decision = judge(head);
  EXPECT_EQ(decision.conclusion, Conclusion::regressed) << decision.summary;
  EXPECT_EQ(repository_.reporter.resolved_facts.back().base_commit, good.str());
  const auto& notices = repository_.last.evidence.notices;
  EXPECT_THAT(notices, Contains(testing::AllOf(HasSubstr("base moved back to"), HasSubstr(wrong.short_str()),
                                               HasSubstr(unbuildable.short_str()))));
}

// Twenty sessions of "a" at so many nanoseconds.
std::vector<StoredSessions> sessions_at(double ns, const std::string& commit) {
  return {{.suite = "Table",
           .benchmark = "a",
           .baseline = "v1",
           .commit = commit,
           .sessions = std::vector<std::vector<double>>(20, {std::log(ns), std::log(ns)})}};
}

TEST_F(JobTest, WithoutABaseHeadAloneIsHeldAgainstTheStoredBaseline) {
  const auto base = repository_.commit({{"times", "a\t100\n"}, {"build.sh", "exit 1\n"}});
  const auto head = repository_.commit({{"times", "a\t110\nnew\t7\n"}, {"build.sh", repository_.copying_build()}});
  auto request = request_for(head);
  request.sessions = sessions_at(110.1, base.str());
  auto decision = repository_.judge(request);
  EXPECT_EQ(decision.conclusion, Conclusion::passed) << decision.summary;
  EXPECT_EQ(verdict_of(decision, "a"), Verdict::unchanged);
  EXPECT_EQ(verdict_of(decision, "new"), Verdict::added);
  EXPECT_THAT(repository_.last.evidence.notices, Contains(HasSubstr("compared with the stored baseline v1")));
  EXPECT_THAT(repository_.reporter.processes, SizeIs(3));
  request.sessions = sessions_at(100, base.str());
  decision = repository_.judge(request);
  EXPECT_EQ(decision.conclusion, Conclusion::undecided) << decision.summary;
  EXPECT_EQ(verdict_of(decision, "a"), Verdict::suspected);
  request.sessions[0].sessions.resize(3);
  decision = repository_.judge(request);
  EXPECT_EQ(decision.conclusion, Conclusion::infrastructure);
  EXPECT_THAT(decision.reason, HasSubstr("too few sessions"));
}

TEST_F(JobTest, ASessionTimesHeadAlone) {
  repository_.commit({{"times", "a\t100\n"}});
  auto request = request_for(repository_.commit({{"times", "a\t101\n"}}));
  request.base = {wire::BaseKind::none, "3"};
  const auto decision = repository_.judge(request);
  EXPECT_EQ(decision.conclusion, Conclusion::passed);
  EXPECT_EQ(verdict_of(decision, "a"), Verdict::added);
  ASSERT_THAT(repository_.reporter.processes, SizeIs(3));
  EXPECT_EQ(repository_.reporter.processes[2].pair, 2);
  EXPECT_EQ(repository_.reporter.processes[2].side, Side::head);
  EXPECT_THAT(repository_.reporter.resolved_facts.back().policy, testing::Not(HasSubstr("session")));
  EXPECT_EQ(repository_.reporter.resolved_facts.back().sandbox, "none");
}

TEST_F(JobTest, ABaseKnownToBeBadIsNotBuiltAgain) {
  const auto good = repository_.commit({{"times", "a\t100\n"}});
  const auto bad = repository_.commit({{"times", "a\t110\n"}});
  const auto head = repository_.commit({{"times", "a\t100\nb\t1\n"}});
  auto request = request_for(head);
  request.bad_commits = {bad.str()};
  const auto decision = repository_.judge(request);
  EXPECT_EQ(verdict_of(decision, "a"), Verdict::unchanged);
  EXPECT_EQ(repository_.reporter.resolved_facts.front().base_commit, good.str());
  EXPECT_THAT(repository_.last.evidence.notices, Contains(HasSubstr("was broken in an earlier run")));
}

TEST_F(JobTest, TheStoredBaselineStandsInWhereNoAncestorWill) {
  const auto baseline = repository_.commit({{"times", "a\t100\n"}});
  std::vector<std::string> bad;
  for (int i = 0; i <= limits::kAncestorsMax; ++i)
    bad.push_back(repository_.commit({{"times", "a\t" + std::to_string(200 + i) + "\n"}}).str());
  auto request = request_for(repository_.commit({{"times", "a\t150\n"}}));
  request.bad_commits = bad;
  EXPECT_EQ(repository_.judge(request).conclusion, Conclusion::infrastructure);
  request.baselines = {std::string(40, 'f'), baseline.str()};
  const auto decision = repository_.judge(request);
  EXPECT_EQ(decision.conclusion, Conclusion::regressed) << decision.summary;
  EXPECT_EQ(repository_.reporter.resolved_facts.back().base_commit, baseline.str());
  EXPECT_THAT(repository_.last.evidence.notices, Contains(HasSubstr("the stored baseline " + baseline.short_str())));
}

TEST_F(JobTest, NoGoodBaseAtAllIsInfrastructure) {
  repository_.commit({{"build.sh", "exit 1\n"}});
  const auto decision = judge(repository_.commit({{"build.sh", repository_.copying_build()}}));
  EXPECT_EQ(decision.conclusion, Conclusion::infrastructure);
}

TEST_F(JobTest, ARevertToAGoodAncestorHasNothingToMeasure) {
  repository_.commit({{"times", "a\t100\n"}});
  repository_.commit({{"build.sh", "exit 1\n"}});
  const auto decision = judge(repository_.commit({{"build.sh", repository_.copying_build()}}));
  EXPECT_EQ(decision.reason, "nothing_to_measure") << decision.summary;
}

TEST_F(JobTest, TheEffectiveManifestIsBases) {
  repository_.commit({{"times", "a\t100\n"}});
  const auto head = repository_.commit(
      {{"times", "a\t150\n"}, {"kernelgate.toml", repository_.manifest("catch = 0.9\ntolerate = 0.8\n")}});
  const auto decision = judge(head);
  EXPECT_EQ(decision.conclusion, Conclusion::regressed);
  EXPECT_THAT(repository_.last.evidence.notices, Contains(HasSubstr("policy.catch")));
}

TEST_F(JobTest, ARegisteredManifestWins) {
  repository_.commit({{"times", "a\t100\n"}});
  const auto head = repository_.commit({{"times", "a\t150\n"}, {"kernelgate.toml", "not = [toml"}});
  auto request = request_for(head);
  request.registered_manifest = repository_.manifest("catch = 0.9\ntolerate = 0.8\n");
  EXPECT_EQ(repository_.judge(request).conclusion, Conclusion::passed);
}

TEST_F(JobTest, HistoryOlderThanTheManifestIsMeasuredByHeads) {
  repository_.commit({{"times", "a\t100\n"}, {"kernelgate.toml", ""}});
  repository_.remove("kernelgate.toml");
  const auto base = repository_.commit({});
  const auto head = repository_.commit({{"times", "a\t150\n"}, {"kernelgate.toml", repository_.manifest("")}});
  EXPECT_EQ(judge(head, base).conclusion, Conclusion::regressed);
  EXPECT_THAT(repository_.last.evidence.notices, Contains(HasSubstr("base has no kernelgate.toml")));
}

TEST_F(JobTest, AMalformedManifestOfHeadIsItsFault) {
  repository_.commit({{"times", "a\t100\n"}});
  const auto decision = judge(repository_.commit({{"kernelgate.toml", "schema = 1\nsuites = 3\n"}}));
  EXPECT_EQ(decision.conclusion, Conclusion::build_failed);
  EXPECT_THAT(repository_.last.evidence.build_text, HasSubstr("kernelgate.toml:2"));
}

TEST_F(JobTest, ASuiteThatNeedsAGpuIsNotBlamedOnTheCommit) {
  repository_.commit({{"times", "a\t100\n"}});
  auto request = request_for(repository_.commit({{"times", "a\t150\n"}}));
  request.registered_manifest = repository_.manifest("", "requires = { gpu = true }\n");
  const auto decision = repository_.judge(request);
  EXPECT_EQ(decision.conclusion, Conclusion::infrastructure);
  EXPECT_THAT(repository_.last.evidence.infrastructure, HasSubstr("needs a GPU"));
  EXPECT_THAT(repository_.reporter.logs, IsEmpty());  // said before anything was built
}

TEST_F(JobTest, ACudaProgramThatFindsNoGpuIsNotBlamedOnTheCommit) {
  const auto head = repository_.commit({{"check.sh", "echo 'cudaErrorNoDevice' >&2; exit 3\n"}});
  EXPECT_EQ(judge(head).conclusion, Conclusion::infrastructure);
  EXPECT_THAT(repository_.last.evidence.infrastructure, HasSubstr("requires = { gpu = true }"));
}

TEST_F(JobTest, WhatIsKnownAlreadyIsNotMeasured) {
  repository_.commit({{"times", "a\t100\n"}});
  repository_.reporter.reuse = 3;
  const auto request = request_for(repository_.commit({{"times", "a\t150\n"}}));
  const auto result = repository_.run(request);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->reused_from, std::optional<std::int64_t>(3));
  EXPECT_THAT(repository_.reporter.logs, IsEmpty());
}

TEST_F(JobTest, AReporterThatRefusesEndsTheJob) {
  repository_.commit({{"times", "a\t100\n"}});
  const auto request = request_for(repository_.commit({{"times", "a\t150\n"}}));
  repository_.reporter.refuse_state = true;
  EXPECT_FALSE(repository_.run(request));
}

TEST_F(JobTest, AStopEndsTheJob) {
  repository_.commit({{"times", "a\t100\n"}});
  const auto request = request_for(repository_.commit({{"times", "a\t150\n"}}));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(repository_.run(request, stop.get_token()));
}

TEST_F(JobTest, OnlyTheBenchmarksAskedForAreTimed) {
  repository_.commit({{"times", "gemm/1\t100\ncopy/1\t100\n"}});
  auto request = request_for(repository_.commit({{"times", "gemm/1\t150\ncopy/1\t150\n"}}));
  request.filter = "^gemm";
  EXPECT_THAT(repository_.judge(request).comparisons, SizeIs(1));
}

TEST_F(JobTest, AGpuThatIsTooOldIsTheMachinesFault) {
  const auto needs = TableRepository::manifest("", "requires = { gpu = true, compute = \"9.0\" }\n");
  repository_.commit({{"times", "a\t100\n"}, {"kernelgate.toml", needs}});
  const auto request = request_for(repository_.commit({{"times", "a\t150\n"}}));
  repository_.machine.has_gpu = true;
  repository_.machine.testbed.compute_capability = "8.6";
  const auto decision = repository_.judge(request);
  EXPECT_EQ(decision.conclusion, Conclusion::infrastructure);
  EXPECT_THAT(decision.reason, HasSubstr("needs compute capability 9.0 and this machine has 8.6"));
  EXPECT_THAT(repository_.reporter.processes, IsEmpty());
  repository_.machine.testbed.compute_capability = "9.0";
  EXPECT_EQ(judge(request.head).conclusion, Conclusion::regressed);
}

TEST(SandboxedJob, BuildsChecksAndMeasuresBehindItsWalls) {
  TableRepository repository(SandboxConfig{});
  repository.commit({{"times", "a\t100\nquote\"größe/$(x)\t10\n"}});
  const auto head = repository.commit({{"times", "a\t150\nquote\"größe/$(x)\t10\n"}});
  const auto decision = repository.judge(repository.request_for(head));
  EXPECT_EQ(decision.conclusion, Conclusion::regressed) << decision.summary;
  EXPECT_THAT(decision.comparisons, SizeIs(2));
}

// A stand-in for compute-sanitizer that prints a report and counts its starts.
class SanitizerTest : public JobTest {
 protected:
  SanitizerTest() {
    program_ = repository_.folder().parent_path() / "compute-sanitizer";
    repository_.machine.has_gpu = true;
    repository_.sanitizer = program_;
    print("memcheck");
  }
  void print(const std::string& golden) const {
    std::ofstream(program_) << "#!/bin/sh\necho run >>'" << program_.string() << ".runs'\ncat '" KG_GOLDEN "/sanitizer/"
                            << golden << ".txt'\n";
    std::filesystem::permissions(program_, std::filesystem::perms::owner_all);
  }
  [[nodiscard]] int runs() const {
    std::ifstream file(program_.string() + ".runs");
    int out = 0;
    for (std::string line; std::getline(file, line);) ++out;
    return out;
  }
  std::string reason_of(const RunDecision& decision, const std::string& benchmark) const {
    for (const auto& comparison : decision.comparisons)
      if (comparison.benchmark == benchmark) return comparison.reason;
    return {};
  }
  std::filesystem::path program_;
};

TEST_F(SanitizerTest, ACrashedKernelIsRunOnceMoreAndNamed) {
  repository_.commit({{"times", "a\t100\nb\t100\n"}});
  const auto head = repository_.commit({{"times", "a\t100\nb\t100\texit 3\n"}});
  const auto decision = judge(head);
  EXPECT_EQ(verdict_of(decision, "b"), Verdict::crashed);
  const std::string reason = reason_of(decision, "b");
  EXPECT_THAT(reason, HasSubstr("misaligned address (CUDA error 716"));
  EXPECT_THAT(reason, HasSubstr("in <unnamed>::illegal_address_kernel(const float *, float *) at"));
  EXPECT_THAT(reason, HasSubstr("crash_bench.cu:24 by thread (232,0,0) in block (3,0,0)"));
  EXPECT_EQ(runs(), 1);
}

TEST_F(SanitizerTest, ACrashOfTheHostIsNoWorkForIt) {
  repository_.commit({{"times", "a\t100\n"}});
  const auto decision = judge(repository_.commit({{"times", "a\t100\tcrash\n"}}));
  EXPECT_THAT(reason_of(decision, "a"), HasSubstr("crash of the host program"));
  EXPECT_EQ(runs(), 0);
}

TEST_F(SanitizerTest, TheManifestMayAskForMemcheck) {
  const std::string manifest = repository_.manifest("") + "[sanitizer]\nmemcheck = true\n";
  repository_.commit({{"kernelgate.toml", manifest}, {"times", "a\t100\n"}});
  const auto decision = judge(repository_.commit({{"times", "a\t101\n"}}));
  EXPECT_EQ(decision.conclusion, Conclusion::broken);
  EXPECT_THAT(reason_of(decision, "memcheck"), HasSubstr("crash_bench.cu:24"));
  EXPECT_THAT(repository_.reporter.processes, IsEmpty()) << "what memcheck refuses is not timed";
  print("clean");
  EXPECT_EQ(verdict_of(judge(repository_.commit({{"times", "a\t100\n# again\n"}})), "a"), Verdict::unchanged);
  print("not_instrumented");
  const auto said = judge(repository_.commit({{"times", "a\t100\n# and again\n"}}));
  EXPECT_EQ(verdict_of(said, "a"), Verdict::unchanged);
  EXPECT_THAT(said.notices, Contains(HasSubstr("memcheck: Target application terminated")));
}

// A device that is taken: nothing is measured, and the run is better done elsewhere.
struct TakenDevice final : DisturbanceProbe {
  Status hold(const Say& say, const std::stop_token&) override {
    say("waiting: somebody is there");
    return fail(Errc::unavailable, trouble());
  }
  void process_starts() override {}
  DeviceWindow process_ended() override { return {}; }
  std::string trouble() const override { return "waited 120 s for the GPU: somebody is there"; }
};

TEST_F(JobTest, ATakenDeviceIsNoFaultOfTheCommit) {
  TakenDevice device;
  repository_.probe = &device;
  repository_.commit({{"times", "a\t100\n"}});
  const auto decision = judge(repository_.commit({{"times", "a\t140\n"}}));
  EXPECT_EQ(decision.conclusion, Conclusion::infrastructure);
  EXPECT_EQ(repository_.last.device_trouble, device.trouble());
  EXPECT_EQ(repository_.last.gpu_s_held, 0);
  EXPECT_THAT(repository_.reporter.processes, IsEmpty());
}

}  // namespace job_test
}  // namespace kernelgate
