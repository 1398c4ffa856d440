// SPDX-License-Identifier: Apache-2.0
#include "core/decision/evidence/policy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "core/decision/evidence/verdict.hpp"
#include "core/units/limits.hpp"

namespace kernelgate {
namespace policy_test {

PolicyOverride overriding(const char* match, std::optional<double> tolerate, std::optional<double> catch_limit = {}) {
  return {.match = match, .tolerate = tolerate, .catch_limit = catch_limit, .small = {}, .missing = {}};
}

TEST(Policy, TheLastOverrideThatMatchesWinsMemberByMember) {
  Policy policy;
  policy.overrides = {overriding("^gemm", 0.002, 0.05), overriding("/64$", {}, 0.2), overriding("spmm", 0.004)};
  policy.overrides[2].missing = OnFinding::fail;
  policy.overrides[1].small = OnFinding::fail;
  const Policy both = for_benchmark(policy, "gemm/64");
  EXPECT_EQ(both.tolerate, 0.002);
  EXPECT_EQ(both.catch_limit, 0.2);
  EXPECT_EQ(both.small, OnFinding::fail);
  EXPECT_EQ(both.missing, OnFinding::warn);
  EXPECT_TRUE(both.overrides.empty());
  EXPECT_EQ(for_benchmark(policy, "a/spmm/b").missing, OnFinding::fail) << "searched, not matched whole";
  EXPECT_EQ(for_benchmark(policy, "GEMM").tolerate, policy.tolerate);
}

TEST(Policy, ABandNeedsRoom) {
  for (const auto& [tolerate, most] : {std::pair{0.0, 1.0}, {0.0, 1e-9}, {0.01, 0.03}})
    EXPECT_TRUE(is_band(tolerate, most)) << tolerate << " " << most;
  for (const auto& [tolerate, most] : {std::pair{-0.001, 0.5},
                                       {0.03, 0.03},
                                       {0.05, 0.03},
                                       {0.5, 1.0001},
                                       {std::nan(""), 0.5},
                                       {0.01, std::nan("")},
                                       {0.0, INFINITY}})
    EXPECT_FALSE(is_band(tolerate, most)) << tolerate << " " << most;
  Policy policy;
  EXPECT_TRUE(check_band(policy, "here"));
  policy.tolerate = policy.catch_limit;
  EXPECT_EQ(check_band(policy, "here").error().where, "here");
}

TEST(Policy, AMatchIsARegularExpressionWithoutBackReferences) {
  for (const std::string& good :
       {std::string("."), std::string("^a/(b|c)[0-9]+$"), std::string("(a*)*b"), std::string(limits::kMatchMax, 'a')})
    EXPECT_TRUE(check_match(good)) << good;
  for (const std::string& bad : {std::string(), std::string("("), std::string("[a"), std::string("*"),
                                 std::string("(a)\\1"), std::string("a{2,1}")})
    EXPECT_EQ(check_match(bad).error().code, Errc::invalid) << bad;
  EXPECT_EQ(check_match(std::string(limits::kMatchMax + 1, 'a')).error().code, Errc::too_large);
  Policy policy;
  policy.overrides = {overriding("(a*)*b", 0.002)};
  EXPECT_EQ(for_benchmark(policy, std::string(limits::kBenchmarkNameMax, 'a')).tolerate, 0.01) << "and ends soon";
}

const std::function<void(Policy&)> kChanges[] = {
    [](Policy&) {},
    [](Policy& p) { p.rule = Rule::mwu_cliff; },
    [](Policy& p) { p.tolerate = 0.011; },
    [](Policy& p) { p.catch_limit = 0.031; },
    [](Policy& p) { p.small = OnFinding::fail; },
    [](Policy& p) { p.missing = OnFinding::fail; },
    [](Policy& p) { p.missing_cases = OnFinding::warn; },
    [](Policy& p) { p.max_pairs = 8; },
    [](Policy& p) { p.gpu_seconds = 1; },
    [](Policy& p) { p.error_growth = 3; },
    [](Policy& p) { p.error_growth_action = OnFinding::fail; },
    [](Policy& p) { p.against = Against::stored; },
    [](Policy& p) {
      p.against = Against::stored;
      p.stored = OnFinding::fail;
    },
    [](Policy& p) { p.overrides = {overriding("a", 0.002)}; },
    [](Policy& p) { p.overrides = {overriding("a", {}, 0.002)}; },
    [](Policy& p) { p.overrides = {overriding("a tolerate=0.002", {}, 0.002)}; },
    [](Policy& p) {
      p.overrides = {overriding("a", 0.002), overriding("b", 0.002)};
    },
    [](Policy& p) {
      p.overrides = {overriding("b", 0.002), overriding("a", 0.002)};
    },
    [](Policy& p) {
      p.overrides = {overriding("a", {})};
      p.overrides[0].small = OnFinding::warn;
    },
    [](Policy& p) {
      p.overrides = {overriding("a", {})};
      p.overrides[0].missing = OnFinding::warn;
    },
    [](Policy& p) {
      p.workloads = {{"w", {{"a", 1}}}};
    },
    [](Policy& p) {
      p.workloads = {{"v", {{"a", 1}}}};
    },
    [](Policy& p) {
      p.workloads = {{"w", {{"a", 2}}}};
    },
    [](Policy& p) {
      p.workloads = {{"w", {{"a", 1}, {"b", 1}}}};
    },
    [](Policy& p) {
      p.workloads = {{"w", {{"a", 1}}}, {"x", {{"b", 1}}}};
    },
};

// A verdict may be used again only where nothing of the policy differs.
TEST(Policy, EveryMemberIsPartOfItsCanonicalText) {
  std::set<std::string> texts;
  for (const auto& change : kChanges) {
    Policy policy;
    change(policy);
    EXPECT_TRUE(texts.insert(canonical_text(policy)).second) << canonical_text(policy);
    const std::string text = canonical_text(policy);
    EXPECT_EQ(figure_of(text, "tolerate"), policy.tolerate);
    EXPECT_EQ(figure_of(text, "catch"), policy.catch_limit);
    EXPECT_EQ(figure_of(text, "max_pairs"), policy.max_pairs);
    EXPECT_EQ(figure_of(text, "gpu_seconds"), policy.gpu_seconds);
  }
  EXPECT_EQ(figure_of("rule=pairs", "tolerate"), 0);
}

TEST(Conclusion, MeansOneExitCodeAndOneStatus) {
  struct Meaning {
    Conclusion conclusion;
    int exit_code;
    const char *status, *check_run;
    bool blocks;
  };
  const Meaning meanings[] = {{Conclusion::passed, 0, "success", "success", false},
                              {Conclusion::regressed, 1, "failure", "failure", true},
                              {Conclusion::broken, 1, "failure", "failure", true},
                              {Conclusion::build_failed, 1, "failure", "failure", true},
                              {Conclusion::undecided, 3, "success", "neutral", false},
                              {Conclusion::infrastructure, 4, "error", "neutral", false},
                              {Conclusion::cancelled, 4, "error", "cancelled", false}};
  for (const Meaning& meaning : meanings) {
    const std::string word(to_string(meaning.conclusion));
    EXPECT_EQ(exit_code(meaning.conclusion), meaning.exit_code) << word;
    EXPECT_EQ(commit_status(meaning.conclusion), meaning.status) << word;
    EXPECT_EQ(check_run_conclusion(meaning.conclusion), meaning.check_run) << word;
    EXPECT_EQ(blocks_push(meaning.conclusion), meaning.blocks) << word;
    EXPECT_EQ(parse_conclusion(word), meaning.conclusion);
    EXPECT_FALSE(parse_conclusion(word + " ")) << word;
  }
}

TEST(Verdict, HasOnePlaceInTheReadingOrder) {
  std::set<Verdict> seen(kReadingOrder.begin(), kReadingOrder.end());
  EXPECT_EQ(seen.size(), kReadingOrder.size());
  for (std::size_t i = 0; i < kReadingOrder.size(); ++i) {
    EXPECT_EQ(reading_rank(kReadingOrder[i]), i);
    EXPECT_EQ(is_failure(kReadingOrder[i]), i < 4) << to_string(kReadingOrder[i]);
    EXPECT_EQ(parse_verdict(to_string(kReadingOrder[i])), kReadingOrder[i]);
  }
}

TEST(RunState, EndsInThreeWaysAndWaitsInTwo) {
  int finished = 0, waiting = 0;
  for (int i = 0; i <= static_cast<int>(RunState::cancelled); ++i) {
    const auto state = static_cast<RunState>(i);
    finished += is_finished(state) ? 1 : 0;
    waiting += is_waiting(state) ? 1 : 0;
    EXPECT_FALSE(is_finished(state) && is_waiting(state));
    EXPECT_EQ(parse_run_state(to_string(state)), state);
  }
  EXPECT_EQ(finished, 3);
  EXPECT_EQ(waiting, 2);
  EXPECT_TRUE(is_waiting(RunState::held) && is_finished(RunState::done));
}

}  // namespace policy_test
}  // namespace kernelgate
