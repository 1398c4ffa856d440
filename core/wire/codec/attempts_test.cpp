// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "core/units/limits.hpp"
#include "core/wire/attempts.hpp"
#include "core/wire/codec.hpp"
#include "tests/support/round_trip.hpp"

namespace kernelgate::wire {
namespace codec_attempts_test {

TEST(AttemptsCodec, RoundTrips) {
  Attempt attempt;
  attempt.id = 7;
  attempt.repository = "k";
  attempt.kind = AttemptKind::work_tree;
  attempt.branch = "try/a";
  attempt.commit = "c";
  attempt.subject = "s";
  attempt.outcome = AttemptOutcome::lost;
  attempt.best = AttemptRatio{.suite = "s", .benchmark = "b", .ratio = 0.9, .low = 0.8, .high = 1.0};
  attempt.worst = AttemptRatio{.suite = "s", .benchmark = "c", .ratio = 1.2};
  attempt.error_factor = 4;
  attempt.cost = {.build_s = 1, .check_s = 2, .measure_s = 3, .money = 0.5};
  attempt.runs = {3, 2};
  attempt.failures = {"a wrong_value 24.0145"};
  attempt.alike = {{.attempt = 3,
                    .how = Likeness::code,
                    .name = "try/b",
                    .outcome = AttemptOutcome::broken,
                    .ratio = 1.1,
                    .failure = "f"}};
  attempt.notices = {"n"};
  expect_round_trip(AttemptPage{.attempts = {attempt}, .next = "7"});
  expect_round_trip(AttemptNote{.repository = "k", .run = 3, .branch = "b", .hypothesis = "h", .lesson = "l"});
  expect_round_trip(AttemptChange{.hypothesis = "h", .lesson = {}});
}

TEST(AttemptsCodec, LongTextsAreRefusedByName) {
  const std::string longer(limits::kReasonMax + 1, 'x');
  const auto lesson = decode<AttemptChange>("{\"lesson\":\"" + longer + "\"}");
  ASSERT_FALSE(lesson);
  EXPECT_NE(to_string(lesson.error()).find("/lesson"), std::string::npos) << to_string(lesson.error());
  EXPECT_FALSE(decode<AttemptNote>("{\"repository\":\"k\",\"hypothesis\":\"" + longer + "\"}"));
  EXPECT_FALSE(decode<AttemptNote>("{\"repository\":\"\"}"));
  EXPECT_FALSE(decode<AttemptNote>("{\"repository\":\"k\",\"run\":\"3\"}"));
}

}  // namespace codec_attempts_test
}  // namespace kernelgate::wire
