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

TEST(ParseSince, ReadsDaysInstantsAndHowLongAgo) {
  const Since cases[] = {{"2026-11-03", "2026-11-03T00:00:00.000Z"},
                         {"2026-11-03T10:20:30Z", "2026-11-03T10:20:30.000Z"},
                         {"2026-11-03T10:20:30.456Z", "2026-11-03T10:20:30.456Z"},
                         {"14d", "2026-11-07T12:00:00.000Z"},
                         {"48h", "2026-11-19T12:00:00.000Z"},
                         {"0d", "2026-11-21T12:00:00.000Z"},
                         {"1h", "2026-11-21T11:00:00.000Z"},
                         {"00001d", "2026-11-20T12:00:00.000Z"},
                         {"", ""},
                         {"d", ""},
                         {"14", ""},
                         {"-1d", ""},
                         {"+1d", ""},
                         {"1.5d", ""},
                         {" 1d", ""},
                         {"1w", ""},
                         {"1D", ""},
                         {"000001d", ""},
                         {"99999d", ""},
                         {"2026-02-30", ""},
                         {"2026-11-3", ""},
                         {"2026/11/03", ""},
                         {"2026-11-03 10:00", ""},
                         {"2026-11-03T25:00:00Z", ""},
                         {"2026-11-03T10:00:00", ""},
                         {"2026-11-03T10:00:00.1Z", ""},
                         {"2026-11-03T10:00:00+01:00", ""},
                         {"yesterday", ""}};
  for (const auto& [text, wanted] : cases) {
    const auto at = parse_since(text, kNow);
    EXPECT_EQ(at ? to_iso8601(*at) : std::string(), wanted) << text;
    if (at) continue;
    EXPECT_EQ(at.error().code, Errc::invalid);
    EXPECT_EQ(at.error().where, "since");
  }
}

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
