// SPDX-License-Identifier: Apache-2.0
#include "commands/compare/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands/output/report.hpp"

namespace kernelgate::local {
namespace compare_test {

using testing::HasSubstr;
using Paths = std::vector<std::filesystem::path>;

// A folder of result files that goes with the test.
class CompareTest : public testing::Test {
 protected:
  CompareTest() {
    std::string name = (std::filesystem::temp_directory_path() / "kg-compare-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~CompareTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const std::string& text) {
    const std::filesystem::path path = folder_ / ("with space " + std::to_string(count_++) + ".json");
    std::ofstream(path) << text;
    return path;
  }

  // A file of one benchmark with three repetitions about `ms`.
  std::filesystem::path timed(double ms, const std::string& name = "gemm/64") {
    std::string rows;
    for (double factor : {1.01, 1.0, 0.99})
      rows += (rows.empty() ? "" : ",") + (R"({"name":")" + name + R"(","run_type":"iteration","iterations":10,)" +
                                           R"("real_time":)" + std::to_string(ms * factor) + R"(,"cpu_time":)" +
                                           std::to_string(ms * factor * 2) + R"(,"time_unit":"ms"})");
    return file(R"({"context":{},"benchmarks":[)" + rows + "]}");
  }

  // One pair per ratio of head over base.
  CompareRequest pairs(const std::vector<double>& ratios) {
    CompareRequest out;
    for (double ratio : ratios) {
      out.base.push_back(timed(2));
      out.head.push_back(timed(2 * ratio));
    }
    return out;
  }

  static Comparison only(const CompareRequest& request) {
    const Result<RunDecision> got = compare_files(request);
    if (!got || got->comparisons.size() != 1) {
      ADD_FAILURE() << (got ? "not one comparison" : to_string(got.error()));
      return {};
    }
    return got->comparisons[0];
  }

  static std::string golden(const std::string& version) { return std::string(KG_GOLDEN_DIR) + "/" + version + ".json"; }

 private:
  std::filesystem::path folder_;
  int count_ = 0;
};

std::vector<double> wobble(double ratio, double spread, int pairs) {
  std::vector<double> out;
  for (int i = 0; i < pairs; ++i) out.push_back(ratio * (i % 2 == 0 ? 1 + spread : 1 - spread));
  return out;
}

TEST_F(CompareTest, RecordedPairsGiveEveryTimedVerdict) {
  struct Case {
    const char* name;
    std::vector<double> ratios;
    Verdict want;
    Conclusion conclusion;
    int pairs;
  };
  const Case cases[] = {
      {"regressed", wobble(1.1, .001, 4), Verdict::regressed, Conclusion::regressed, 4},
      {"improved", wobble(.9, .001, 4), Verdict::improved, Conclusion::passed, 4},
      {"unchanged", wobble(1, .001, 6), Verdict::unchanged, Conclusion::passed, 4},
      {"undecided", wobble(1, .04, 16), Verdict::undecided, Conclusion::undecided, 16},
      {"suspected", wobble(1.025, .02, 16), Verdict::suspected, Conclusion::undecided, 16},
      {"two pairs", wobble(1.021, .001, 2), Verdict::suspected, Conclusion::undecided, 2},
      {"seven pairs", wobble(1.025, .02, 7), Verdict::suspected, Conclusion::undecided, 6},
  };
  for (const Case& c : cases) {
    const RunDecision got = compare_files(pairs(c.ratios)).value();
    ASSERT_EQ(got.comparisons.size(), 1u) << c.name;
    EXPECT_EQ(got.comparisons[0].verdict, c.want) << c.name << ": " << got.comparisons[0].reason;
    EXPECT_EQ(got.comparisons[0].pairs, c.pairs) << c.name;
    EXPECT_EQ(got.conclusion, c.conclusion) << c.name;
  }
}

TEST_F(CompareTest, SaysAtWhichPairItWouldHaveStopped) {
  const RunDecision got = compare_files(pairs(wobble(1.1, .001, 10))).value();
  EXPECT_THAT(got.comparisons[0].reason, HasSubstr("after 4 of 10 pairs"));
  EXPECT_THAT(got.notices, testing::ElementsAre(HasSubstr("stopped after pair 4 of 10: 8 processes, not 20")));
  const RunDecision open = compare_files(pairs(wobble(1, .04, 6))).value();
  EXPECT_THAT(open.notices, testing::ElementsAre(HasSubstr("gone on after these 6 pairs: 1 benchmark is open")));
}

TEST_F(CompareTest, OneProcessASideDecidesNothing) {
  const Comparison got = only(pairs({1.5}));
  EXPECT_EQ(got.verdict, Verdict::undecided);
  EXPECT_THAT(got.reason, HasSubstr("one process a side"));
  EXPECT_EQ(got.cliffs_delta, 1);
  EXPECT_NEAR(*got.mwu_p, 0.1, 1e-12);
  EXPECT_NEAR(*got.ratio, 1.5, 1e-6);
}

TEST_F(CompareTest, BandAndRuleAreThoseAskedFor) {
  CompareRequest request = pairs(wobble(1.1, .001, 4));
  request.policy.tolerate = .15;
  request.policy.catch_limit = .3;
  EXPECT_EQ(only(request).verdict, Verdict::unchanged);
  request = pairs(wobble(1.1, .001, 4));
  request.policy.rule = Rule::mwu_cliff;
  EXPECT_EQ(only(request).verdict, Verdict::regressed);
  request = pairs(wobble(1.1, .001, 3));
  request.policy.rule = Rule::mwu_cliff;
  EXPECT_EQ(only(request).verdict, Verdict::undecided);
  EXPECT_THAT(only(request).reason, HasSubstr("n too small"));
}

TEST_F(CompareTest, TimeSourceAndDroppedRepetitions) {
  CompareRequest request = pairs({1, 1});
  EXPECT_NEAR(*only(request).base_median_ns, 2e6, 1);
  request.time = TimeSource::cpu;
  EXPECT_NEAR(*only(request).base_median_ns, 4e6, 1);
  request.drop_first = 2;  // leaves the repetition at 0.99
  EXPECT_NEAR(*only(request).base_median_ns, 4e6 * .99, 1);
  request.drop_first = 3;
  EXPECT_THAT(compare_files(request).error().what, HasSubstr("no repetition left"));
}

TEST_F(CompareTest, RealFilesOfEveryVersion) {
  for (const char* version : {"1.5.0", "1.6.1", "1.7.1", "1.8.3", "1.9.4"}) {
    CompareRequest request;
    request.base = Paths(4, golden(version));
    request.head = Paths(4, golden(version));
    const Result<RunDecision> got = compare_files(request);
    ASSERT_TRUE(got.has_value()) << version << ": " << to_string(got.error());
    int unchanged = 0;
    for (const Comparison& comparison : got->comparisons) {
      unchanged += comparison.verdict == Verdict::unchanged ? 1 : 0;
      if (comparison.benchmark == "fails") {
        EXPECT_THAT(comparison.reason, HasSubstr("illegal memory access")) << version;
      }
      if (comparison.benchmark == "manual/manual_time") {
        EXPECT_NEAR(*comparison.base_median_ns, 2e6, 1) << version;
      }
    }
    EXPECT_EQ(unchanged, 9) << version;
    EXPECT_EQ(got->conclusion, Conclusion::undecided) << version;  // "fails" and "summary" on both sides
  }
}

TEST_F(CompareTest, VersionsMayMeet) {
  CompareRequest request;
  request.base = Paths(1, golden("1.5.0"));
  request.head = Paths(1, golden("1.9.4"));
  EXPECT_TRUE(compare_files(request).has_value());
}

TEST_F(CompareTest, ErrorOnHeadAloneIsBroken) {
  CompareRequest request = pairs({1, 1});
  for (std::filesystem::path& path : request.head)
    path = file(R"({"benchmarks":[{"name":"gemm/64","run_type":"iteration","error_occurred":true,)"
                R"("error_message":"CUDA error 700","real_time":0,"cpu_time":0,"time_unit":"ns"}]})");
  const RunDecision got = compare_files(request).value();
  EXPECT_EQ(got.conclusion, Conclusion::broken);
  EXPECT_THAT(got.comparisons[0].reason, HasSubstr("CUDA error 700"));
}

TEST_F(CompareTest, AProcessThatDoesNotCountIsNamed) {
  CompareRequest request = pairs(wobble(1, .001, 6));
  request.head[1] = timed(0);
  request.base[2] = timed(1e30);
  request.head[4] = timed(1, "other");
  const auto got = compare_files(request);
  ASSERT_TRUE(got) << to_string(got.error());
  const auto says = [](const std::filesystem::path& file, const std::string& text) {
    return testing::Contains(testing::AllOf(HasSubstr(file.string()), HasSubstr(text)));
  };
  EXPECT_THAT(got->notices, says(request.head[1], "gemm/64 (its real_time is not a positive number)"));
  EXPECT_THAT(got->notices, says(request.base[2], "gemm/64 (its real_time of 1.01e+36 ns is over a day)"));
  EXPECT_THAT(got->notices, says(request.head[4], "does not count for gemm/64 (it is not in the file)"));
}

TEST_F(CompareTest, FilesWithoutATimeAreBadInput) {
  CompareRequest request;
  request.base = Paths(4, timed(0));
  request.head = Paths(4, timed(0));
  const auto got = compare_files(request);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, Errc::invalid);
  EXPECT_THAT(to_string(got.error()), HasSubstr("no benchmark can be compared: gemm/64: fails on both sides"));
}

TEST_F(CompareTest, OneSidedBenchmarks) {
  CompareRequest request = pairs({1, 1});
  request.base.push_back(timed(1, "old"));
  request.head.push_back(timed(1, R"(new \"quoted\"/größe)"));
  const RunDecision got = compare_files(request).value();
  std::vector<std::string> words;
  for (const Comparison& c : got.comparisons) words.push_back(c.benchmark + " " + std::string(to_string(c.verdict)));
  EXPECT_THAT(words, testing::UnorderedElementsAre("gemm/64 unchanged", "old missing", "new \"quoted\"/größe added"));
}

TEST_F(CompareTest, BadInputIsNamed) {
  const CompareRequest good = pairs({1, 1});
  const auto what = [](CompareRequest request) {
    const Result<RunDecision> got = compare_files(request);
    return got ? std::string("accepted") : to_string(got.error());
  };
  CompareRequest bad = good;
  bad.head.pop_back();
  EXPECT_THAT(what(bad), HasSubstr("2 files of base and 1 of head"));
  bad = good;
  bad.base[0] = "/no/such/file.json";
  EXPECT_THAT(what(bad), HasSubstr("cannot be opened"));
  bad = good;
  bad.base[0] = std::filesystem::temp_directory_path();
  EXPECT_THAT(what(bad), HasSubstr("folder"));
  bad.base[0].clear();
  EXPECT_THAT(what(bad), HasSubstr("a file without a name"));
  bad = good;
  bad.policy.tolerate = .05;
  EXPECT_THAT(what(bad), HasSubstr("no band"));
  bad = good;
  bad.policy.tolerate = std::nan("");
  EXPECT_THAT(what(bad), HasSubstr("no band"));
  bad = good;
  bad.head = {timed(1, "x"), timed(1, "x")};
  EXPECT_THAT(what(bad), HasSubstr("no benchmark in common"));
  for (const char* text : {"", "no json", R"({"benchmarks":[{"name":)", R"({"benchmarks":[]})"}) {
    bad = good;
    bad.head[1] = file(text);
    EXPECT_THAT(what(bad), HasSubstr(".json")) << text;
  }
}

TEST_F(CompareTest, AManifestBringsItsPolicyAndWorkloads) {
  const auto manifest = file(
      "schema = 1\n[build]\nbuild = \"\"\n[[suite]]\nname = \"s\"\nrun = \"./s\"\n[policy]\ncatch = 0.2\n"
      "[[workload]]\nname = \"decode\"\nentries = [{ match = \".\", weight = 1 }]\n");
  const Result<Policy> policy = policy_of_manifest(manifest);
  ASSERT_TRUE(policy) << to_string(policy.error());
  EXPECT_EQ(policy->catch_limit, 0.2);
  CompareRequest request = pairs(wobble(1.1, .001, 4));
  request.policy = *policy;
  const auto decision = compare_files(request);
  ASSERT_TRUE(decision);
  ASSERT_EQ(decision->workloads.size(), 1U);
  EXPECT_EQ(decision->workloads[0].verdict, Verdict::regressed);
  EXPECT_NEAR(*decision->workloads[0].ratio, 1.1, 1e-3);

  EXPECT_THAT(to_string(policy_of_manifest("/no/such.toml").error()), HasSubstr("no such file"));
  EXPECT_THAT(to_string(policy_of_manifest(std::filesystem::temp_directory_path()).error()), HasSubstr("is a folder"));
  EXPECT_THAT(to_string(policy_of_manifest(file("schema = 2\n")).error()), HasSubstr("'schema' is 2"));
}

TEST_F(CompareTest, JsonHasTheMembersOfTheContract) {
  report::Report report;
  report.decision = compare_files(pairs(wobble(1.1, .001, 4))).value();
  const auto json = nlohmann::json::parse(report::to_json(report));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["conclusion"], "regressed");
  const auto& comparison = json["comparisons"].at(0);
  for (const char* member :
       {"benchmark", "verdict", "ratio", "ratio_low", "ratio_high", "cliffs_delta", "mwu_p", "pairs", "reason"})
    EXPECT_TRUE(comparison.contains(member)) << member;
  EXPECT_NEAR(comparison["ratio"].get<double>(), 1.1, 1e-3);
  EXPECT_EQ(comparison["pairs"], 4);
  EXPECT_TRUE(json.at("live").is_null());
  report.live = live_stop(report.decision, {}, 6);
  const auto recorded = nlohmann::json::parse(report::to_json(report));
  EXPECT_EQ(recorded["live"]["processes"], 8);
  EXPECT_EQ(recorded["live"]["given_processes"], 12);
  EXPECT_EQ(recorded["comparisons"].at(0)["live_pair"], 4);
}

TEST_F(CompareTest, AFileGivenTwiceOnASideIsPointedOut) {
  CompareRequest request = pairs({1.1, 1.1, 1.1, 1.1});
  ASSERT_TRUE(compare_files(request));
  EXPECT_EQ(compare_files(request)->notices.size(), 0u);
  request.head[3] = request.head[0].parent_path() / "." / request.head[0].filename();
  const auto twice = compare_files(request);
  ASSERT_TRUE(twice) << to_string(twice.error());
  ASSERT_EQ(twice->notices.size(), 1u);
  EXPECT_THAT(twice->notices[0], HasSubstr("given more than once"));
}

TEST_F(CompareTest, AFileWithoutAnEndIsTooLarge) {
  CompareRequest request = pairs({1});
  request.head[0] = "/dev/zero";
  const auto endless = compare_files(request);
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error().code, Errc::too_large);
}

TEST_F(CompareTest, CatchHasTheLimitsOfAManifest) {
  CompareRequest request = pairs({1, 1});
  request.policy.catch_limit = 1.5;
  EXPECT_FALSE(compare_files(request));
}

class CompareStoredTest : public CompareTest {
 protected:
  // Head's processes, all slower by `ratio`, against `sessions` sessions of two.
  CompareRequest against(int sessions, double ratio, int head = 2) {
    CompareRequest out;
    out.policy.against = Against::stored;
    for (int i = 0; i < head; ++i) out.head.push_back(timed(2 * ratio));
    for (int i = 0; i < sessions; ++i) {
      const double level = 2 * (i % 2 == 0 ? 1.001 : .999);
      out.sessions.push_back({timed(level), timed(level)});
    }
    return out;
  }
};

TEST_F(CompareStoredTest, HeadIsHeldAgainstRecordedSessions) {
  EXPECT_EQ(only(against(20, 1)).verdict, Verdict::unchanged);
  EXPECT_EQ(only(against(20, 1)).against, Against::stored);
  CompareRequest slow = against(20, 1.08);
  EXPECT_EQ(only(slow).verdict, Verdict::suspected);
  slow.policy.stored = OnFinding::fail;
  EXPECT_EQ(only(slow).verdict, Verdict::regressed);
  EXPECT_THAT(compare_files(against(20, 1, 5))->notices, testing::Contains(HasSubstr("2 of 5 processes of head used")));
  EXPECT_THAT(compare_files(against(20, 1))->notices,
              testing::Contains(HasSubstr("the stored baseline (20 recorded sessions) cleared 1 of 1")));
}

TEST_F(CompareStoredTest, MwuCliffJudgesAllProcessesThatAreThere) {
  CompareRequest request = against(4, 1.08, 4);
  request.policy.rule = Rule::mwu_cliff;
  request.policy.stored = OnFinding::fail;
  EXPECT_EQ(only(request).verdict, Verdict::regressed);
  request.head.pop_back();
  EXPECT_THAT(to_string(compare_files(request).error()), HasSubstr("--head: files: 3 given, 4 needed"));
  request = against(1, 1, 4);
  request.policy.rule = Rule::mwu_cliff;
  EXPECT_THAT(to_string(compare_files(request).error()), HasSubstr("--session: stored processes: 2 given, 4 needed"));
}

TEST_F(CompareStoredTest, TooFewOfEitherIsBadInput) {
  const auto error_of = [](const CompareRequest& request) {
    const auto got = compare_files(request);
    return got ? "accepted" : std::string(to_string(got.error().code)) + " " + to_string(got.error());
  };
  EXPECT_THAT(error_of(against(19, 1)), HasSubstr("invalid --session: stored sessions: 19 given, 20 needed"));
  EXPECT_THAT(error_of(against(1, 1)), HasSubstr("--session: stored sessions: 1 given, 20 needed"));
  EXPECT_THAT(error_of(against(20, 1, 1)), HasSubstr("--head: files: 1 given, 2 needed"));
  CompareRequest other = against(20, 1);
  other.head = {timed(2, "unknown"), timed(2, "unknown")};
  EXPECT_THAT(error_of(other), HasSubstr("head and the stored sessions have no benchmark in common"));
}

TEST_F(CompareStoredTest, ASessionThatLosesAProcessIsSaid) {
  CompareRequest request = against(21, 1);
  request.sessions[3][1] = timed(0);
  const auto got = compare_files(request);
  ASSERT_TRUE(got) << to_string(got.error());
  EXPECT_THAT(got->notices, testing::Contains(testing::AllOf(HasSubstr(request.sessions[3][1].string()),
                                                             HasSubstr("does not count for gemm/64 (its real_time"))));
  EXPECT_THAT(got->comparisons[0].reason, HasSubstr("against 20 stored sessions"));
}

TEST_F(CompareStoredTest, WhatMakesNoSessionIsBadInput) {
  CompareRequest request = against(20, 1);
  request.base.push_back(timed(2));
  EXPECT_THAT(to_string(compare_files(request).error()), HasSubstr("there is no base"));
  request = against(20, 1);
  request.sessions[3].pop_back();
  EXPECT_THAT(to_string(compare_files(request).error()), HasSubstr("a session of 1 file"));
  request = against(20, 1);
  request.sessions.clear();
  EXPECT_FALSE(compare_files(request));
  request = pairs({1, 1});
  request.sessions.push_back({timed(2), timed(2)});
  EXPECT_THAT(to_string(compare_files(request).error()), HasSubstr("add --against stored"));
}

}  // namespace compare_test
}  // namespace kernelgate::local
