// SPDX-License-Identifier: Apache-2.0
#include "core/wire/overview.hpp"

#include <gmock/gmock.h>

namespace kernelgate::wire {
namespace overview_test {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(GpuSeen, TellsThrottlingFromOtherLimitsOfTheClock) {
  const auto seen = gpu_seen(R"({"during":{"sm_mhz_loaded":1755,"temperature_c":[40,83],
    "reasons":["sw_power_cap","hw_thermal","idle"]},"xid":[31]})");
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->sm_mhz, 1755);
  EXPECT_EQ(seen->temperature_c, 83);
  EXPECT_THAT(seen->xid, ElementsAre(31));
  EXPECT_THAT(seen->throttled, ElementsAre("hw_thermal"));
}

TEST(GpuSeen, AFigureThatTheDriverDoesNotGiveIsLeftOut) {
  const auto seen = gpu_seen(R"({"during":{"temperature_c":"warm","reasons":[3]},"xid":"none"})");
  ASSERT_TRUE(seen);
  EXPECT_FALSE(seen->sm_mhz);
  EXPECT_FALSE(seen->temperature_c);
  EXPECT_THAT(seen->xid, IsEmpty());
  EXPECT_THAT(seen->throttled, IsEmpty());
}

TEST(GpuSeen, ACpuTestbedHasNone) {
  for (const char* text : {"", "{}", "\"nonsense\"", R"({"price_per_hour":2})"}) EXPECT_FALSE(gpu_seen(text)) << text;
}

}  // namespace overview_test
}  // namespace kernelgate::wire
