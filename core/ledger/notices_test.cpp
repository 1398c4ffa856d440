// SPDX-License-Identifier: Apache-2.0
#include "core/ledger/notices.hpp"

#include <gmock/gmock.h>

#include "core/ledger/since.hpp"

namespace kernelgate::ledger {
namespace notices_test {

using testing::ElementsAre;

TEST(LedgerNotices, NumbersReadAsASentence) {
  EXPECT_EQ(numbers_of({3}), "#3");
  EXPECT_EQ(numbers_of({3, 5}), "#3 and #5");
  EXPECT_EQ(numbers_of({1, 2, 3}), "#1, #2 and #3");
  EXPECT_EQ(numbers_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), "#1, #2, #3, #4, #5, #6, #7, #8 and 2 more");
}

TEST(LedgerNotices, EachFailureAndEachRepetitionIsSaidOnce) {
  const std::string kFailure = "g wrong_value 24.0145";
  EXPECT_THAT(
      notices_of(
          {{.attempt = 3,
            .how = wire::Likeness::failure,
            .name = "a",
            .outcome = AttemptOutcome::broken,
            .failure = kFailure},
           {.attempt = 5,
            .how = wire::Likeness::failure,
            .name = "b",
            .outcome = AttemptOutcome::broken,
            .failure = kFailure},
           {.attempt = 2, .how = wire::Likeness::patch, .name = "try/x", .outcome = AttemptOutcome::did_not_compile},
           {.attempt = 1,
            .how = wire::Likeness::code,
            .name = "B=64",
            .outcome = AttemptOutcome::lost,
            .ratio = 1.041}}),
      ElementsAre("you tried this before: the same change as attempt #2 (try/x: did not compile)",
                  "you tried this before: the same machine code as attempt #1 (B=64: lost, +4.10 %)",
                  "the same failure as attempts #3 and #5: g wrong_value 24.0145"));
}

TEST(Since, ReadsDaysInstantsAndHowLongAgo) {
  const Instant now = *parse_since("2026-11-21T12:00:00Z", Instant{});
  EXPECT_EQ(to_iso8601(now), "2026-11-21T12:00:00.000Z");
  EXPECT_EQ(to_iso8601(*parse_since("2026-11-03", now)), "2026-11-03T00:00:00.000Z");
  EXPECT_EQ(to_iso8601(*parse_since("2026-11-03T10:20:30.456Z", now)), "2026-11-03T10:20:30.456Z");
  EXPECT_EQ(to_iso8601(*parse_since("14d", now)), "2026-11-07T12:00:00.000Z");
  EXPECT_EQ(to_iso8601(*parse_since("48h", now)), "2026-11-19T12:00:00.000Z");
  for (const char* wrong : {"", "d", "14", "-1d", "2026-02-30", "2026-11-03 10:00", "2026-11-03T25:00:00Z", "99999d",
                            "2026-11-03T10:00:00", "yesterday"})
    EXPECT_FALSE(parse_since(wrong, now)) << wrong;
}

}  // namespace notices_test
}  // namespace kernelgate::ledger
