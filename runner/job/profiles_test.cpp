// SPDX-License-Identifier: Apache-2.0
#include "runner/job/profiles.hpp"

#include <gmock/gmock.h>

#include "core/decision/explain/counters.hpp"
#include "tests/support/table_repository.hpp"

namespace kernelgate {
namespace profiles_test {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::SizeIs;

// A machine that says it has a GPU, with a profiler that shows what lies beside the suite (tests/support/ncu).
class ProfilesTest : public testing::Test {
 protected:
  ProfilesTest() {
    repository_.machine.has_gpu = true;
    repository_.cuda_tools = KG_TABLE_CUDA_TOOLS;
  }
  static std::string page(const char* hit_rate) {
    return "==PROF== Connected\n\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\",\"lts__t_sector_hit_rate.pct\"\n"
           "\"\",\"\",\"ns\",\"%\"\n\"0\",\"fill\",\"10\",\"1\"\n\"1\",\"gemm\",\"7,000\",\"" +
           std::string(hit_rate) + "\"\n\"2\",\"timing_kit_gate\",\"9,000\",\"3\"\n";
  }
  CommitHash commit(const char* ns, const char* hit_rate) {
    std::string manifest = TableRepository::manifest("");
    manifest.insert(manifest.find("\"*.c\""), "\"*.csv\", ");
    return repository_.commit({{"kernelgate.toml", manifest},
                               {"times", "a\t" + std::string(ns) + "\nb\t100\n"},
                               {"profile.csv", page(hit_rate)},
                               {"build.sh", TableRepository::copying_build() + "cp \"$1/profile.csv\" \"$2/\"\n"}});
  }
  TableRepository repository_;
};

TEST_F(ProfilesTest, ARegressionShowsTheCountersThatMoved) {
  commit("100", "91.2");
  const auto decision = repository_.judge(repository_.request_for(commit("150", "40.1")));
  ASSERT_THAT(decision.comparisons, SizeIs(2));
  EXPECT_THAT(decision.comparisons[0].counter_changes, ElementsAre("L2 hit rate 91.2 % -> 40.1 %"));
  EXPECT_THAT(decision.comparisons[1].counter_changes, IsEmpty());
  EXPECT_THAT(repository_.last.evidence.suites.front().profiles, SizeIs(2));
  EXPECT_EQ(repository_.last.evidence.suites.front().profiles.front().kernel, "gemm");
  EXPECT_THAT(repository_.reporter.logs, Contains(Key("profile-base-table-1")));
  EXPECT_THAT(repository_.reporter.logs["profile-head-table-1"], AllOf(HasSubstr("40.1"), Not(HasSubstr("gate"))));
}

TEST_F(ProfilesTest, WithoutTheGpusCeilingsARunSaysWhatItCanNotSee) {
  commit("100", "91.2");
  const auto request = repository_.request_for(commit("50", "40.1"));
  const auto says = Contains(HasSubstr("no time is called impossible: kg_probe_ceilings is to lie beside"));
  repository_.judge(request);
  EXPECT_THAT(repository_.last.evidence.notices, says);
  repository_.machine.has_gpu = false;
  repository_.judge(request);
  EXPECT_THAT(repository_.last.evidence.notices, Not(says));
}

TEST_F(ProfilesTest, WhatDidNotRegressIsNotProfiled) {
  commit("100", "91");
  repository_.judge(repository_.request_for(commit("50", "40")));
  EXPECT_THAT(repository_.last.evidence.suites.front().profiles, IsEmpty());
}

TEST_F(ProfilesTest, MissingCountersAreSaid) {
  commit("100", "91");
  repository_.cuda_tools = repository_.folder();
  repository_.judge(repository_.request_for(commit("150", "40")));
  EXPECT_THAT(repository_.last.evidence.notices, Contains(HasSubstr("there is no Nsight Compute (ncu)")));
}

TEST_F(ProfilesTest, OneBenchmarkIsProfiledOnDemandWhateverBecameOfIt) {
  const auto base = commit("100", "91.2");
  JobRequest request = repository_.request_for(commit("100", "40.1"));
  request.only_suite = "Table";
  const auto pair = repository_.profile(request, base, "a");
  ASSERT_TRUE(pair) << to_string(pair.error());
  EXPECT_EQ(pair->base.kernel, "gemm");
  EXPECT_THAT(counter_changes(pair->base, pair->head), ElementsAre("L2 hit rate 91.2 % -> 40.1 %"));
  EXPECT_EQ(repository_.profile(request, base, "none").error().code, Errc::not_found);
  repository_.cuda_tools = repository_.folder();
  EXPECT_EQ(repository_.profile(request, base, "a").error().code, Errc::unsupported);
}

}  // namespace profiles_test
}  // namespace kernelgate
