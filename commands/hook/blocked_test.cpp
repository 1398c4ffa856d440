// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/blocked.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace kernelgate::hook {
namespace blocked_test {

using testing::HasSubstr;
using testing::Not;

Comparison compared(const std::string& name, Verdict verdict, std::optional<double> ratio = {}) {
  Comparison out;
  out.suite = "gemm";
  out.benchmark = name;
  out.verdict = verdict;
  out.ratio = ratio;
  if (ratio) out.ratio_low = *ratio - .01, out.ratio_high = *ratio + .01;
  return out;
}

wire::Run run_of(Conclusion conclusion, std::vector<Comparison> comparisons) {
  wire::Run out;
  out.id = 12;
  out.commit = std::string(40, 'a');
  out.base_commit = std::string(40, 'b');
  out.conclusion = conclusion;
  out.comparisons = std::move(comparisons);
  return out;
}

Settings settings() {
  Settings out;
  out.server = "http://h:1";
  out.token_file = "/t/hook.token";
  out.repository = "kernels";
  return out;
}

TEST(Blocked, SaysWhatByHowMuchWhereAndWhatToDoInThisOrder) {
  const auto text = blocked_text(run_of(Conclusion::regressed, {compared("a/64", Verdict::regressed, 1.2),
                                                                compared("same", Verdict::unchanged, 1.0),
                                                                compared("b<int>", Verdict::regressed, 2.0)}),
                                 settings(), {.url = "http://h:1/runs/12", .commits = 3, .admin_token = {}});
  EXPECT_EQ(text,
            "the push is blocked: regressed\n"
            "b<int>: +100.0 % (+99.0 % to +101.0 %)\n"
            "a/64: +20.0 % (+19.0 % to +21.0 %)\n"
            "http://h:1/runs/12\n\n"
            "see        kernelgate runs show 12 --server http://h:1 --token-file /t/hook.token\n"
            "reproduce  kernelgate run --base bbbbbbbbbb --head aaaaaaaaaa --suite gemm --filter '^b<int>$'\n"
            "bisect     kernelgate bisect --good bbbbbbbbbb --bad aaaaaaaaaa --suite gemm --benchmark 'b<int>'\n"
            "accept     kernelgate baseline accept --run 12 --benchmark '^b<int>$' --reason 'why it is worth it' "
            "--server http://h:1 --repository kernels --token-file FILE (of role admin)\n"
            "push anyway, unjudged: git push --no-verify");
}

TEST(Blocked, OneCommitIsItsOwnCulpritAndManyAreCounted) {
  std::vector<Comparison> many;
  for (const char* name : {"a", "b", "c", "d.e", "f"}) many.push_back(compared(name, Verdict::regressed, 1.5));
  const auto text = blocked_text(run_of(Conclusion::regressed, many), settings(), {.commits = 1});
  EXPECT_THAT(text, HasSubstr("\nand 2 more\n"));
  EXPECT_THAT(text, Not(HasSubstr("bisect")));
  EXPECT_THAT(text, HasSubstr("--filter '^a$'"));
  EXPECT_THAT(blocked_text(run_of(Conclusion::regressed, many), settings(), {.admin_token = "/t/it is"}),
              HasSubstr("--token-file '/t/it is'\n"));
}

TEST(Blocked, NamesAreQuotedForTheShellAndForRegularExpressions) {
  const auto text = blocked_text(run_of(Conclusion::regressed, {compared("f(x)/it's", Verdict::regressed, 1.5)}),
                                 settings(), {.commits = 2});
  EXPECT_THAT(text, HasSubstr(R"(--filter '^f\(x\)/it'\''s$')"));
  EXPECT_THAT(text, HasSubstr(R"(--benchmark 'f(x)/it'\''s')"));
}

TEST(Blocked, AcceptedOnesAreNotNamedAndAnEndlessIntervalIsLeftOut) {
  auto accepted = compared("old", Verdict::regressed, 9);
  accepted.acknowledged = "Ada: known";
  auto open = compared("open", Verdict::regressed, 1.5);
  open.ratio_high = std::numeric_limits<double>::infinity();
  const auto text = blocked_text(run_of(Conclusion::regressed, {accepted, open}), settings(), {.commits = 2});
  EXPECT_THAT(text, Not(HasSubstr("old")));
  EXPECT_THAT(text, HasSubstr("open: +50.0 %\n"));
}

TEST(Blocked, WhatIsBrokenIsBisectedAsBrokenAndNeverAccepted) {
  auto broken = compared("a", Verdict::broken);
  broken.reason = "error 3 over the bound 1";
  const auto text = blocked_text(run_of(Conclusion::broken, {broken}), settings(), {.url = "http://h:1/runs/12"});
  EXPECT_THAT(text,
              HasSubstr("the push is blocked: broken\na: broken: error 3 over the bound 1\nhttp://h:1/runs/12\n"));
  EXPECT_THAT(text, HasSubstr("--benchmark a --until broken\n"));
  EXPECT_THAT(text, Not(HasSubstr("accept")));
}

TEST(Blocked, ABuildThatFailsHasNoBenchmark) {
  const auto text = blocked_text(run_of(Conclusion::build_failed, {}), settings(), {.commits = 2});
  EXPECT_THAT(text, HasSubstr("reproduce  kernelgate run --base bbbbbbbbbb --head aaaaaaaaaa\npush anyway"));
  EXPECT_THAT(text, Not(HasSubstr("bisect")));
  wire::Run first = run_of(Conclusion::build_failed, {});
  first.base_commit.clear();
  EXPECT_THAT(blocked_text(first, settings(), {.commits = 0}), Not(HasSubstr("reproduce")));
}

}  // namespace blocked_test
}  // namespace kernelgate::hook
