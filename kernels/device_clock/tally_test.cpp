// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_clock/tally.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace kernels::device_clock {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Launch launch_of(std::string_view name, std::uint64_t duration_ns) {
  return {.name = name, .grid = {256, 1, 1}, .block = {128, 1, 1}, .start_ns = 1000, .end_ns = 1000 + duration_ns};
}

TEST(DeviceClockTally, WritesKernelsCopiesAndFillsInOrderOfTheirFirst) {
  Tally tally;
  tally.add(launch_of("_Z5firstPf", 992));
  tally.add({.work = Work::copy, .name = "on the device", .grid = {4096, 0, 0}, .start_ns = 5, .end_ns = 37});
  Launch in_graph = launch_of("_Z5firstPf", 960);
  in_graph.in_graph = true;
  tally.add(in_graph);
  EXPECT_EQ(tally.text(130001, true),
            "kernelgate-device-clock 1\ncupti\t130001\n"
            "kernel\t256,1,1\t128,1,1\t2\t1\t1952\t1\t992 960\tfirst(float*)\n"
            "copy\t4096,0,0\t0,0,0\t1\t0\t32\t1\t32\ton the device\n"
            "lost\t0\nend\tended\n");
}

TEST(DeviceClockTally, LaunchesOfAnotherShapeAreAnotherKernel) {
  Tally tally;
  Launch small = launch_of("k", 32);
  small.grid = {1, 1, 1};
  tally.add(small);
  tally.add(launch_of("k", 64));
  EXPECT_THAT(tally.text(1, true), HasSubstr("kernel\t1,1,1\t128,1,1\t1\t0\t32\t1\t32\tk\nkernel\t256,1,1\t"));
}

TEST(DeviceClockTally, KeepsASampleOfMillionsOfLaunchesAndTheWholeTotal) {
  Tally tally;
  constexpr std::uint64_t kLaunches = 100'000;
  for (std::uint64_t i = 0; i < kLaunches; ++i) tally.add(launch_of("k", i < kLaunches / 2 ? 32 : 96));
  const std::string text = tally.text(1, true);
  EXPECT_THAT(text, HasSubstr("\t100000\t0\t6400000\t64\t"));
  EXPECT_LT(text.size(), 4 * kKept + 200);
  const auto early = text.find(" 96"), late = text.rfind(" 32");
  EXPECT_LT(late, early) << "in the order in which they ran";
}

TEST(DeviceClockTally, NamesOnlySoManyKernelsAndCountsTheRestAsLost) {
  Tally tally;
  for (std::size_t i = 0; i < kWorkMax + 7; ++i) tally.add(launch_of("k" + std::to_string(i), 32));
  const std::string text = tally.text(1, true);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<std::ptrdiff_t>(kWorkMax + 4));
  EXPECT_THAT(text, HasSubstr("lost\t7\n"));
}

TEST(DeviceClockTally, LeavesOutWhatHadNotEnded) {
  Tally tally;
  Launch running = launch_of("k", 0);
  running.end_ns = 0;
  tally.add(running);
  EXPECT_EQ(tally.launches(), 0U);
  EXPECT_THAT(tally.text(1, false), EndsWith("lost\t0\nend\trunning\n"));
}

TEST(DeviceClockTally, ANameIsOneLineAndBounded) {
  EXPECT_EQ(plain_name("a\tb\nc\xff"), "a?b?c?");
  EXPECT_EQ(plain_name(std::string(kNameMax + 5, 'x')).size(), kNameMax);
  EXPECT_THAT(refusal_text("not\nallowed"), StartsWith("kernelgate-device-clock 1\nrefused\tnot?allowed\n"));
}

}  // namespace
}  // namespace kernels::device_clock
