// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/upkeep.hpp"

namespace kernelgate::wire {
namespace {

template <class Message>
void expect_round_trip(const Message& message) {
  const std::string text = encode(message);
  const auto again = decode<Message>(text);
  ASSERT_TRUE(again) << to_string(again.error()) << text;
  EXPECT_EQ(encode(*again), text);
}

template <class Message>
std::string refused_at(const std::string& json) {
  const auto result = decode<Message>(json);
  return result ? "accepted" : result.error().where;
}

TEST(QuarantineCodec, RoundTrips) {
  expect_round_trip(QuarantineRequest{.repository = "k", .suite = "s", .benchmark = "b", .reason = "r"});
  expect_round_trip(ReleaseRequest{.repository = "k", .reason = "r"});
  expect_round_trip(QuarantinePage{.quarantines = {{.id = 1,
                                                    .suite = "s",
                                                    .benchmark = "b",
                                                    .epoch = 2,
                                                    .who = "ann",
                                                    .reason = "r",
                                                    .began_at = "t",
                                                    .released_at = "u",
                                                    .released_by = "bob",
                                                    .released_reason = "q",
                                                    .suggestion = "release it"}},
                                   .next = "1"});
}

TEST(QuarantineCodec, AReasonHasALimit) {
  const std::string longer(limits::kReasonMax + 1, 'x');
  for (const std::string& reason : {std::string(), longer}) {
    EXPECT_EQ(refused_at<QuarantineRequest>(R"({"repository":"k","suite":"s","benchmark":"b","reason":")" + reason +
                                            "\"}"),
              "/reason");
    EXPECT_EQ(refused_at<ReleaseRequest>(R"({"repository":"k","reason":")" + reason + "\"}"), "/reason");
  }
}

}  // namespace
}  // namespace kernelgate::wire
