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

TEST(Hosts, ANameOfAnotherSiteIsNotOurs) {
  const std::vector<std::string> ours = {"localhost", "127.0.0.1", "::1", "gate.example"};
  for (const char* good :
       {"localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:8080", "[::1]", "gate.example.", "Gate.Example:443"})
    EXPECT_TRUE(is_ours(ours, good)) << good;
  for (const char* bad : {"evil.example", "evil.example:8080", "localhost.evil.example", "10.0.0.1", "[::2]:1", "",
                          "127.0.0.1.evil.example", "["})
    EXPECT_FALSE(is_ours(ours, bad)) << bad;
  EXPECT_TRUE(is_ours({}, "anything"));
  const std::vector<std::string> wildcard = {"0.0.0.0"};
  EXPECT_TRUE(is_ours(wildcard, "10.0.0.1:8080"));
  EXPECT_TRUE(is_ours(wildcard, "[fe80::1]:8080"));
  EXPECT_FALSE(is_ours(wildcard, "1.evil.example"));
}

}  // namespace target_test
}  // namespace kernelgate::http
