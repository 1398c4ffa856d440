// SPDX-License-Identifier: Apache-2.0
#include "core/ledger/notices.hpp"

#include <gmock/gmock.h>

namespace kernelgate::ledger {
namespace notices_test {

using testing::ElementsAre;

TEST(LedgerNotices, NumbersReadAsASentence) {
  EXPECT_EQ(numbers_of({3}), "#3");
  EXPECT_EQ(numbers_of({3, 5}), "#3 and #5");
  EXPECT_EQ(numbers_of({1, 2, 3}), "#1, #2 and #3");
  EXPECT_EQ(numbers_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), "#1, #2, #3, #4, #5, #6, #7, #8 and 2 more");
}

TEST(LedgerNotices, OfNoneNothingIsSaid) {
  EXPECT_EQ(numbers_of({}), "");
  EXPECT_THAT(notices_of({}), ElementsAre());
}

TEST(LedgerNotices, ManyRepetitionsAreCounted) {
  std::vector<wire::AlikeAttempt> alike;
  for (std::int64_t id = 1; id <= 10; ++id)
    alike.push_back(
        {.attempt = id, .how = wire::Likeness::patch, .name = "n", .outcome = AttemptOutcome::lost, .ratio = 1.5});
  const auto said = notices_of(alike);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].rfind("you tried this before: the same change as attempts #1 (n: lost, +50.00 %), #2 (", 0), 0U);
  EXPECT_TRUE(said[0].ends_with("#8 (n: lost, +50.00 %) and 2 more")) << said[0];
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

}  // namespace notices_test
}  // namespace kernelgate::ledger
