// SPDX-License-Identifier: Apache-2.0
#include "server/http/target.hpp"

#include <gtest/gtest.h>

namespace kernelgate::http {
namespace target_test {

TEST(Target, SplitsPathAndQuery) {
  const auto target = parse_target("/api/v1/runs/7?repository=a%2Fb&limit=5&x=1+2");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/api/v1/runs/7");
  EXPECT_EQ(target->segments, (std::vector<std::string>{"api", "v1", "runs", "7"}));
  EXPECT_EQ(target->query, (Pairs{{"repository", "a/b"}, {"limit", "5"}, {"x", "1 2"}}));
}

TEST(Target, AnEscapedSlashStaysInsideItsSegment) {
  const auto target = parse_target("/logs/build%2Fbase");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->segments, (std::vector<std::string>{"logs", "build/base"}));
}

TEST(Target, RootHasNoSegments) {
  EXPECT_TRUE(parse_target("/")->segments.empty());
  EXPECT_EQ(parse_target("/a/")->segments, (std::vector<std::string>{"a", ""}));
}

TEST(Target, RefusesWhatCouldMeanTwoThings) {
  for (const char* bad : {"", "a", "*", "http://x/", "/%", "/%4", "/%zz", "/a%00b", "/../etc", "/a/%2e%2e/b", "/?a=%"})
    EXPECT_FALSE(parse_target(bad)) << bad;
}

TEST(Target, EncodingAndDecodingAreInverse) {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  EXPECT_EQ(percent_decode(percent_encode(all), true), all);
}

}  // namespace target_test
}  // namespace kernelgate::http
