// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/state.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace kernelgate::gpu {
namespace state_test {

using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::json;

GpuReading with_reasons(std::uint64_t reasons) {
  GpuReading out;
  out.reasons = reasons;
  return out;
}

GpuReading at_clock(double mhz) {
  GpuReading out;
  out.sm_mhz = mhz;
  return out;
}

TEST(GpuState, HardwareSlowdownsDisturbAndEffectsOfTheCodeDoNot) {
  struct Case {
    std::uint64_t reasons;
    const char* named;
  };
  for (const Case& c :
       {Case{kHardwareSlowdown, "hw_slowdown"}, Case{kHardwareThermal, "hw_thermal"},
        Case{kSoftwareThermal, "sw_thermal"}, Case{kPowerBrake, "power_brake"}, Case{kSoftwarePowerCap, ""},
        Case{kIdle | kApplicationClocks | kSyncBoost | kDisplayClocks, ""}}) {
    for (const int place : {0, 1, 2}) {
      GpuWindow window;
      if (place == 0) window.before = with_reasons(c.reasons);
      if (place == 1) window.during = {with_reasons(0), with_reasons(c.reasons)};
      if (place == 2) window.after = with_reasons(c.reasons);
      if (*c.named == '\0')
        EXPECT_THAT(disturbance_of(window), IsEmpty()) << c.reasons;
      else
        EXPECT_THAT(disturbance_of(window), HasSubstr(c.named)) << c.reasons;
    }
  }
}

TEST(GpuState, ErrorsOfTheGpuDisturbButNotAKernelsOwn) {
  GpuWindow window;
  window.errors = {13, 31, 43};
  EXPECT_THAT(disturbance_of(window), IsEmpty());
  window.errors = {31, 79};
  EXPECT_EQ(disturbance_of(window), "the GPU reported error Xid 79");
}

TEST(GpuState, AForeignProcessDisturbs) {
  GpuWindow window;
  window.users = {.known = true, .ours = 1, .foreign = 1, .first_foreign = "python3 (process 7)"};
  EXPECT_THAT(disturbance_of(window), HasSubstr("foreign process on the GPU: python3 (process 7)"));
}

TEST(GpuState, TheLoadedClockLeavesIdleReadingsOut) {
  GpuWindow window;
  EXPECT_FALSE(loaded_clock_mhz(window));
  window.during = {at_clock(345), at_clock(345), at_clock(345), at_clock(1980), at_clock(1965), at_clock(1980)};
  EXPECT_EQ(loaded_clock_mhz(window), 1980);
}

TEST(GpuState, TheDocumentHoldsWhatWasReadAndNothingElse) {
  GpuWindow window;
  window.before = at_clock(345);
  window.before.ecc_corrected = 3;
  window.after = with_reasons(kSoftwarePowerCap);
  window.after.ecc_corrected = 5;
  window.during = {at_clock(1965), at_clock(1980)};
  window.errors = {31};
  window.users = {.known = true, .visible = false, .ours = 1};
  GpuFacts gpu;
  gpu.uuid = "GPU-1";
  gpu.mig_mode = "off";
  const Json json = Json::parse(state_json(gpu, window));
  EXPECT_EQ(json, Json::parse(R"({"card":"GPU-1","mig":"off","before":{"sm_mhz":345.0},
    "during":{"readings":2,"sm_mhz":[1965.0,1980.0],"sm_mhz_loaded":1980.0,"reasons":[]},
    "after":{"reasons":["sw_power_cap"]},"ecc_corrected":2,"xid":[31],
    "processes":{"ours":1,"foreign":0,"numbers_visible":false}})"));
}

}  // namespace state_test
}  // namespace kernelgate::gpu
