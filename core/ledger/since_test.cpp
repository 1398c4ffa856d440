// SPDX-License-Identifier: Apache-2.0
#include "core/ledger/since.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/units/limits.hpp"

namespace kernelgate::ledger {
namespace since_test {

const Instant kNow = *parse_iso8601("2026-11-21T12:00:00Z");

struct Since {
  const char* text;
  const char* wanted;  // empty: refused
};
class ParseSince : public testing::TestWithParam<Since> {};

TEST_P(ParseSince, ReadsDaysInstantsAndHowLongAgo) {
  const auto [text, wanted] = GetParam();
  const auto at = parse_since(text, kNow);
  EXPECT_EQ(at ? to_iso8601(*at) : std::string(), wanted) << text;
  if (at) return;
  EXPECT_EQ(at.error().code, Errc::invalid);
  EXPECT_EQ(at.error().where, "since");
}

INSTANTIATE_TEST_SUITE_P(
    Table, ParseSince,
    testing::Values(
        Since{"2026-11-03", "2026-11-03T00:00:00.000Z"}, Since{"2026-11-03T10:20:30Z", "2026-11-03T10:20:30.000Z"},
        Since{"2026-11-03T10:20:30.456Z", "2026-11-03T10:20:30.456Z"}, Since{"14d", "2026-11-07T12:00:00.000Z"},
        Since{"48h", "2026-11-19T12:00:00.000Z"}, Since{"0d", "2026-11-21T12:00:00.000Z"},
        Since{"1h", "2026-11-21T11:00:00.000Z"}, Since{"00001d", "2026-11-20T12:00:00.000Z"}, Since{"", ""},
        Since{"d", ""}, Since{"14", ""}, Since{"-1d", ""}, Since{"+1d", ""}, Since{"1.5d", ""}, Since{" 1d", ""},
        Since{"1w", ""}, Since{"1D", ""}, Since{"000001d", ""}, Since{"99999d", ""}, Since{"2026-02-30", ""},
        Since{"2026-11-3", ""}, Since{"2026/11/03", ""}, Since{"2026-11-03 10:00", ""},
        Since{"2026-11-03T25:00:00Z", ""}, Since{"2026-11-03T10:00:00", ""}, Since{"2026-11-03T10:00:00.1Z", ""},
        Since{"2026-11-03T10:00:00+01:00", ""}, Since{"yesterday", ""}));

TEST(ParseSince, HasALimitAtACentury) {
  const std::string most = std::to_string(limits::kDaysMax), over = std::to_string(limits::kDaysMax + 1);
  ASSERT_TRUE(parse_since(most + "d", kNow));
  EXPECT_EQ(kNow - *parse_since(most + "d", kNow), std::chrono::days(limits::kDaysMax));
  EXPECT_FALSE(parse_since(over + "d", kNow));
}

TEST(ParseSince, QuotesNoMoreThanTheBeginningOfATextThatIsNoTime) {
  const auto at = parse_since(std::string(5000, 'x'), kNow);
  ASSERT_FALSE(at);
  EXPECT_LT(at.error().what.size(), 100U);
}

}  // namespace since_test
}  // namespace kernelgate::ledger
