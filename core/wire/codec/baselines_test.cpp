// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "core/wire/accounts.hpp"
#include "core/wire/baselines.hpp"
#include "core/wire/codec.hpp"
#include "tests/support/round_trip.hpp"

namespace kernelgate::wire {
namespace codec_baselines_test {

const Baseline kBaseline{.id = 1,
                         .run = 2,
                         .epoch = 3,
                         .name = "v1",
                         .commit = "c",
                         .actor = "ann",
                         .reason = "r",
                         .promoted_at = from_millis(1),
                         .replaced_at = from_millis(2),
                         .anchor = true,
                         .sessions = 20};

TEST(BaselinesCodec, RoundTrips) {
  expect_round_trip(BaselinePage{.baselines = {kBaseline}, .next = "7"});
  expect_round_trip(WholeBaseline{.baseline = kBaseline, .benchmarks = {{"s", "b", 1.5, 2}}});
  expect_round_trip(Promotion{.repository = "k", .run = 2, .name = "v1", .reason = "r", .anchor = true});
  expect_round_trip(RemeasureRequest{.repository = "k", .name = "v1", .processes = 3});
  expect_round_trip(RemeasureReply{.baselines = {{.name = "v1", .commit = "c", .run = 4, .why_not = "x"}}});
  expect_round_trip(AcceptRequest{.repository = "k", .run = 2, .match = "b", .reason = "r", .expires_in_days = 30});
  expect_round_trip(AcknowledgementPage{.acknowledgements = {{.id = 1,
                                                              .run = 2,
                                                              .epoch = 3,
                                                              .match = "b",
                                                              .actor = "ann",
                                                              .reason = "r",
                                                              .accepted_at = from_millis(3),
                                                              .expires_at = from_millis(4),
                                                              .revoked_at = {},
                                                              .revoked_by = {},
                                                              .revoked_reason = {},
                                                              .benchmarks = {{"s", "b", 1.05, 105}}}},
                                        .next = {}});
  expect_round_trip(RevokeAcceptanceRequest{.repository = "k", .reason = "r"});
}

TEST(AccountsCodec, RoundTrips) {
  expect_round_trip(LoginRequest{.token = "kg_1"});
  expect_round_trip(
      Caller{.name = "ann", .role = Role::read, .by = "login", .csrf_token = "c", .expires_at = from_millis(1)});
  expect_round_trip(ActionPage{.actions = {{1, from_millis(1), "ann", "run.cancel", "run 2", "d"}}, .next = "1"});
  EXPECT_EQ(decode<LoginRequest>(R"({"token":""})").error().where, "/token");
}

TEST(BaselinesCodec, LimitsNameTheMember) {
  const auto where = [](auto result) { return result ? std::string("accepted") : result.error().where; };
  EXPECT_EQ(where(decode<Promotion>(R"({"repository":"k","run":1,"name":"","reason":"r"})")), "/name");
  EXPECT_EQ(where(decode<Promotion>(R"({"repository":"k","run":1,"name":"n","reason":""})")), "/reason");
  EXPECT_EQ(where(decode<RemeasureRequest>(R"({"repository":"k","processes":1})")), "/processes");
  EXPECT_EQ(where(decode<AcceptRequest>(R"({"repository":"k","run":1,"match":"m","reason":"r","expires_in_days":-1})")),
            "/expires_in_days");
}

}  // namespace codec_baselines_test
}  // namespace kernelgate::wire
