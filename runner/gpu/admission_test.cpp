// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/admission.hpp"

#include <gmock/gmock.h>

namespace kernelgate::gpu {
namespace admission_test {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

GpuReading reading(double celsius, double utilisation) {
  GpuReading out;
  out.temperature_c = celsius;
  out.utilisation = utilisation;
  return out;
}

TEST(Admission, SaysWhatKeepsAPairFromStarting) {
  GpuFacts gpu;
  gpu.slowdown_c = 90;
  GpuUsers alone{.known = true}, shared{.known = true, .foreign = 1, .first_foreign = "python3 (process 7)"};
  EXPECT_THAT(obstacle(gpu, reading(60, 0), alone, false), IsEmpty());
  EXPECT_THAT(obstacle(gpu, reading(76, 0), alone, false), HasSubstr("too hot: 76"));
  EXPECT_THAT(obstacle(gpu, reading(60, 0.4), alone, false), HasSubstr("not idle: 40 %"));
  EXPECT_THAT(obstacle(gpu, reading(60, 0.4), alone, true), IsEmpty());
  EXPECT_THAT(obstacle(gpu, reading(60, 0), shared, true), HasSubstr("python3 (process 7)"));
  EXPECT_THAT(obstacle({}, reading(76, 0), alone, false), HasSubstr("may have 75"));
  EXPECT_THAT(obstacle(gpu, {}, {}, false), IsEmpty());
}

TEST(Admission, WaitsAndSaysOnceWhatFor) {
  std::vector<std::string> script{"hot", "hot", "busy", ""}, said;
  std::size_t at = 0;
  const auto look = [&] { return script[at++]; };
  const auto say = [&said](const std::string& text) { said.push_back(text); };
  EXPECT_TRUE(wait_until_free(look, say, {}, std::chrono::minutes(5), milliseconds(1)));
  EXPECT_THAT(said, ElementsAre("waiting: hot", "waiting: busy"));
}

TEST(Admission, PatienceEndsWithTheReason) {
  const auto waited = wait_until_free([] { return std::string("busy"); }, {}, {}, milliseconds(5), milliseconds(1));
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().code, Errc::unavailable);
  EXPECT_THAT(waited.error().what, HasSubstr("busy"));
}

TEST(Admission, AStopEndsTheWaiting) {
  std::stop_source stop;
  stop.request_stop();
  const auto waited =
      wait_until_free([] { return std::string("busy"); }, {}, stop.get_token(), std::chrono::minutes(5));
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().code, Errc::conflict);
}

}  // namespace admission_test
}  // namespace kernelgate::gpu
