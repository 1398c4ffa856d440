// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <nlohmann/json.hpp>

#include "kernels/common/host_inputs.hpp"
#include "kernels/common/inject.hpp"
#include "kernels/common/outcome.hpp"
#include "kernels/common/seed.hpp"

namespace kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kPoisoned = std::bit_cast<float>(kPoisonBits);

std::vector<float> fenced(const std::vector<float>& output) {
  std::vector<float> memory(output.size() + 2 * kFence, kPoisoned);
  std::copy(output.begin(), output.end(), memory.begin() + kFence);
  return memory;
}

TEST(Judge, TellsEachKindOfFailure) {
  const Expected expected{{1, 2, 2}, {1, 2, 2}};
  struct Case {
    std::vector<float> output;
    const char* error_class;
    double error_value;
    std::int64_t first_bad;
  };
  for (const Case& one :
       {Case{{1, 2, 2}, "", 0, -1}, Case{{1, 2, 5}, "wrong_value", 1, 2}, Case{{1, kInfinity, 2}, "not_finite", 1, 1},
        Case{{kPoisoned, kPoisoned, 2}, "unwritten", 2, 0}}) {
    const Outcome outcome = judge(fenced(one.output), expected, 1e-6);
    EXPECT_EQ(outcome.passed, one.first_bad < 0);
    EXPECT_EQ(outcome.error_class, one.error_class);
    EXPECT_EQ(outcome.error_value, one.error_value);
    EXPECT_EQ(outcome.first_bad, one.first_bad);
  }
}

TEST(Judge, SeesAWriteBesideTheOutput) {
  std::vector<float> memory = fenced({1, 2});
  memory.back() = 0;
  EXPECT_EQ(judge(memory, {{1, 2}, {1, 2}}, 1e-6).error_class, "out_of_bounds");
}

TEST(Judge, ErrorsAreRelativeToTheMagnitudeOfTheElement) {
  EXPECT_TRUE(judge(fenced({1.5f}), {{1}, {100}}, 0.01).passed);
  EXPECT_FALSE(judge(fenced({1.5f}), {{1}, {1}}, 0.01).passed);
}

TEST(Json, IsOneObjectWithoutBareNumbers) {
  Outcome outcome = judge(fenced({kInfinity}), {{1}, {1}}, 1e-6);
  outcome.name = "a\"b";
  outcome.text = "line\nbreak";
  outcome.rel_err = kInfinity;
  outcome.seed = 42;
  const auto json = nlohmann::json::parse(to_json(outcome));
  EXPECT_EQ(json.at("name"), "a\"b");
  EXPECT_EQ(json.at("text"), "line break");
  EXPECT_TRUE(json.at("rel_err").is_null());
  EXPECT_EQ(json.at("seed"), "0x2a");
  EXPECT_FALSE(json.at("passed").get<bool>());
}

TEST(Inject, GrowsByThousandthsInWholeUnits) {
  EXPECT_EQ(with_extra_work(1'000'000, 4, 0, false), 1'000'000);
  EXPECT_EQ(with_extra_work(1'000'000, 4, 30, false), 1'030'000);
  EXPECT_EQ(with_extra_work(4096, 16, 10, false), 4096 + 48);  // 40.96 is nearest to three units
  EXPECT_EQ(with_extra_work(256, 16, 10, false), 256);
  EXPECT_EQ(with_extra_work(256, 16, 30, true), 0);
  EXPECT_EQ(with_extra_work(123), 123) << "this build injects nothing";
}

TEST(Inputs, AreTheSameForASeedAndNeverZero) {
  const std::vector<float> one = random_inputs(7, 1000, 30), two = random_inputs(7, 1000, 30);
  EXPECT_EQ(one, two);
  EXPECT_NE(one, random_inputs(8, 1000, 30));
  for (const float value : one) {
    EXPECT_NE(value, 0);
    EXPECT_LT(std::fabs(value), 0x1p30f);
  }
}

TEST(Seed, IsAWholeNumber) {
  EXPECT_EQ(parse_seed("42"), 42);
  EXPECT_EQ(parse_seed("0x2a"), 42);
  for (const char* wrong : {"", "blue", "1x", "-1", " 1"}) EXPECT_FALSE(parse_seed(wrong)) << wrong;
}

}  // namespace
}  // namespace kernels
