// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/nvbench_names.hpp"

#include <gtest/gtest.h>

#include <random>

namespace kernelgate::suite {
namespace nvbench_names_test {

void expect_same(const NvbenchState& a, const NvbenchState& b, const std::string& name) {
  EXPECT_EQ(a.benchmark, b.benchmark) << name;
  EXPECT_EQ(a.device, b.device) << name;
  ASSERT_EQ(a.axes.size(), b.axes.size()) << name;
  for (std::size_t i = 0; i < a.axes.size(); ++i) {
    EXPECT_EQ(a.axes[i].name, b.axes[i].name) << name;
    EXPECT_EQ(a.axes[i].flags, b.axes[i].flags) << name;
    EXPECT_EQ(a.axes[i].value, b.axes[i].value) << name;
  }
}

TEST(NvbenchNames, AreReadAsTheyAreWritten) {
  std::mt19937 random(3);
  const std::string alphabet = "ab7 %/\n\t.<>,:-_%2F\xc3\xa9";
  const auto word = [&](std::size_t least, std::string_view more) {
    const std::string from = alphabet + std::string(more);
    std::string out(least + random() % 6, ' ');
    for (char& c : out) c = from[random() % from.size()];
    return out;
  };
  for (int i = 0; i < 1000; ++i) {
    NvbenchState state{.benchmark = word(1, "=[]"), .device = static_cast<int>(random() % 3), .axes = {}};
    for (unsigned axes = random() % 4; axes > 0; --axes)
      state.axes.push_back({word(1, ""), random() % 2 == 0 ? "pow2" : "", word(0, "=[]")});
    const std::string name = name_of(state);
    for (const char c : name) EXPECT_GE(static_cast<unsigned char>(c), ' ') << name;
    expect_same(state_of(name), state, name);
  }
}

TEST(NvbenchNames, HaveOneSpelling) {
  EXPECT_EQ(name_of({"copy", 0, {{"T", "", "I32"}, {"Elements", "pow2", "20"}}}), "copy/T=I32/Elements[pow2]=20");
  EXPECT_EQ(name_of({"a/b", 1, {{"x%", "", "1/2"}}}), "a%2Fb/Device=1/x%25=1%2F2");
}

// Names come from files of others too.
TEST(NvbenchNames, OddNamesAreTakenAsTheyStand) {
  expect_same(state_of(""), {"", 0, {}}, "");
  expect_same(state_of("a%"), {"a%", 0, {}}, "a percent sign at the end");
  expect_same(state_of("a%4"), {"a%4", 0, {}}, "half an escape");
  expect_same(state_of("100%zz"), {"100%zz", 0, {}}, "no escape");
  expect_same(state_of("a/b"), {"a", 0, {{"b", "", ""}}}, "an axis without a value");
  expect_same(state_of("a/b[=1"), {"a", 0, {{"b[", "", "1"}}}, "a bracket that does not close");
  expect_same(state_of("a//x=1"), {"a", 0, {{"", "", ""}, {"x", "", "1"}}}, "an empty part");
}

}  // namespace nvbench_names_test
}  // namespace kernelgate::suite
