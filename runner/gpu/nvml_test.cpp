// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/nvml.hpp"

#include <gmock/gmock.h>

#include "tests/support/table_gpu.hpp"

namespace kernelgate::gpu {
namespace nvml_test {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Nvml, ReadsWhatTheGpuGives) {
  TableGpu table;
  const Gpu gpu = table.open();
  const GpuFacts facts = gpu.facts();
  EXPECT_EQ(facts.model, "NVIDIA H200");
  EXPECT_EQ(facts.compute_capability, "9.0");
  EXPECT_EQ(facts.power_limit, "700 W");
  EXPECT_EQ(facts.mig_mode, "off");
  EXPECT_EQ(facts.slowdown_c, 90);
  table.set({{"reasons", "0x44"}, {"utilisation", "37"}, {"ecc_corrected", "2"}, {"processes", "11 12"}});
  const GpuReading reading = gpu.read();
  EXPECT_EQ(reading.sm_mhz, 1980);
  EXPECT_EQ(reading.memory_mhz, 3201);
  EXPECT_EQ(reading.power_w, 121.5);
  EXPECT_EQ(reading.utilisation, 0.37);
  EXPECT_EQ(reading.ecc_corrected, 2U);
  EXPECT_EQ(reading.power_cap_ns, 1000U);
  EXPECT_THAT(reason_names(*reading.reasons), ElementsAre("sw_power_cap", "hw_thermal"));
  EXPECT_THAT(*gpu.processes(), ElementsAre(11U, 12U));
}

TEST(Nvml, WhatAGpuDoesNotSupportIsAbsent) {
  TableGpu table;
  table.set({{"sm_mhz", ""}, {"reasons", ""}, {"ecc_corrected", ""}, {"thermal_ns", ""}, {"mig", ""}, {"xid", ""}});
  Gpu gpu = table.open();
  const GpuReading reading = gpu.read();
  EXPECT_FALSE(reading.sm_mhz || reading.reasons || reading.ecc_corrected || reading.thermal_ns);
  EXPECT_EQ(gpu.facts().mig_mode, "none");
  EXPECT_FALSE(gpu.take_errors());
}

TEST(Nvml, MoreProcessesThanExpectedAreListedToo) {
  TableGpu table;
  std::string many;
  for (int i = 1; i <= 100; ++i) many += std::to_string(i) + " ";
  table.set({{"processes", many}});
  EXPECT_EQ(table.open().processes()->size(), 100U);
}

TEST(Nvml, ErrorsOfTheGpuAreTakenOnce) {
  TableGpu table;
  Gpu gpu = table.open();
  EXPECT_THAT(*gpu.take_errors(), IsEmpty());
  table.set({{"xid", "2 31 79"}});
  EXPECT_THAT(*gpu.take_errors(), ElementsAre(31U, 79U));
  EXPECT_THAT(*gpu.take_errors(), IsEmpty());
}

TEST(Nvml, ALostGpuDoesNotAnswer) {
  TableGpu table;
  const Gpu gpu = table.open();
  EXPECT_TRUE(gpu.answers());
  table.lose();
  EXPECT_EQ(gpu.answers().error().code, Errc::unavailable);
}

TEST(Nvml, NoLibraryNoDriverNoGpu) {
  EXPECT_EQ(Gpu::open(0, "libnothing-of-the-kind.so").error().code, Errc::unsupported);
  TableGpu table;
  EXPECT_EQ(Gpu::open(7, KG_TABLE_NVML).error().code, Errc::not_found);
  EXPECT_EQ(Gpu::open(-1, KG_TABLE_NVML).error().code, Errc::not_found);
  table.set({{"init", "fails"}});
  EXPECT_EQ(Gpu::open(0, KG_TABLE_NVML).error().code, Errc::unsupported);
}

}  // namespace nvml_test
}  // namespace kernelgate::gpu
