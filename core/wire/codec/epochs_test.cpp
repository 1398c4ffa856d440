// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/wire/codec.hpp"
#include "core/wire/epochs.hpp"

namespace kernelgate::wire {
namespace codec_epochs_test {

TEST(EpochCodec, RoundTrips) {
  const EpochUpload sent{
      .lease = "l", .commit = "c", .kept = false, .text = "t", .control_ratio = 1.25, .figures = {{"s", "b", 2.5, 3}}};
  const auto got = decode<EpochUpload>(encode(sent));
  ASSERT_TRUE(got) << to_string(got.error());
  EXPECT_EQ(encode(*got), encode(sent));
  EXPECT_EQ(got->figures.at(0).median_ns, 2.5);
  EXPECT_EQ(*got->control_ratio, 1.25);
  EXPECT_EQ(decode<EpochReply>(encode(EpochReply{.carried = 2}))->carried, 2);
}

TEST(EpochCodec, NamesTheMemberThatIsWrong) {
  for (const auto& [text, where] : {std::pair("{}", "lease"), std::pair("{\"lease\":\"l\",\"commit\":1}", "commit"),
                                    std::pair("{\"lease\":\"l\",\"commit\":\"c\",\"figures\":[{}]}", "figures/0")}) {
    const auto got = decode<EpochUpload>(text);
    ASSERT_FALSE(got) << text;
    EXPECT_NE(to_string(got.error()).find(where), std::string::npos) << to_string(got.error());
  }
}

}  // namespace codec_epochs_test
}  // namespace kernelgate::wire
