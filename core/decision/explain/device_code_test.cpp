// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/device_code.hpp"

#include <gmock/gmock.h>

#include "tests/support/test_evidence.hpp"

namespace kernelgate {
namespace device_code_test {

using testing::ElementsAre;
using testing::IsEmpty;

KernelCode kernel(const std::string& name, int registers = 168) {
  KernelCode out;
  out.kernel = name;
  out.arch = "sm_90a";
  out.sass_sha256 = "1";
  out.registers = registers;
  out.instructions = {{"HGMMA", 64}, {"LDG.128", 8}};
  return out;
}

// Blocks per multiprocessor from cudaOccMaxActiveBlocksPerMultiprocessor of CUDA 13.0's cuda_occupancy.h.
TEST(DeviceCode, OccupancyIsThatOfTheToolkit) {
  struct Case {
    const char* arch;
    int registers, static_shared, threads, dynamic_shared, blocks;
  };
  const std::vector<Case> cases = {
      {"sm_80", 32, 0, 256, 0, 8},          {"sm_80", 168, 0, 384, 0, 1},
      {"sm_80", 255, 0, 256, 0, 1},         {"sm_80", 64, 49152, 128, 0, 3},
      {"sm_80", 128, 1024, 128, 101376, 1}, {"sm_80", 40, 0, 1024, 0, 1},
      {"sm_80", 16, 0, 32, 0, 32},          {"sm_80", 33, 0, 96, 0, 16},
      {"sm_80", 168, 1024, 128, 200000, 0}, {"sm_80", 255, 0, 512, 0, 0},
      {"sm_80", 96, 0, 640, 0, 1},          {"sm_90", 64, 49152, 128, 0, 4},
      {"sm_90", 128, 1024, 128, 101376, 2}, {"sm_90a", 168, 1024, 128, 200000, 1},
      {"sm_90a", 33, 0, 96, 0, 16},         {"sm_100a", 128, 1024, 128, 101376, 2},
      {"sm_100", 255, 0, 512, 0, 0},
  };
  for (const Case& one : cases) {
    KernelCode code = kernel("k", one.registers);
    code.arch = one.arch;
    code.static_shared_bytes = one.static_shared;
    const auto occupancy = theoretical_occupancy(code, {one.threads, one.dynamic_shared});
    ASSERT_TRUE(occupancy);
    EXPECT_DOUBLE_EQ(*occupancy, one.blocks * ((one.threads + 31) / 32) / 64.0)
        << one.arch << " " << one.registers << " " << one.threads;
  }
  KernelCode old = kernel("k");
  old.arch = "sm_75";
  EXPECT_FALSE(theoretical_occupancy(old, {128, 0}));
}

TEST(DeviceCode, SaysWhatChangedInAKernel) {
  const KernelCode base = kernel("void gemm<64>(float*, int)");
  KernelCode head = base;
  head.sass_sha256 = "2";
  head.registers = 255;
  head.stack_bytes = 48;
  head.spill_stores = 12;
  head.spill_loads = 24;
  head.instructions = {{"HMMA", 128}, {"LDG.128", 8}, {"LDL", 24}, {"STL", 12}};
  EXPECT_THAT(code_changes(std::vector{base}, std::vector{head}, {}),
              ElementsAre("gemm<64>: registers 168 -> 255, spills 0 -> 48 bytes (0 -> 12 stores, 0 -> 24 loads), "
                          "HGMMA 64 -> 0, HMMA 0 -> 128"));
  head = base;
  head.registers = 96;
  EXPECT_THAT(code_changes(std::vector{base}, std::vector{head}, {LaunchShape{128, 0}, LaunchShape{128, 0}}),
              ElementsAre("gemm<64>: registers 168 -> 96, occupancy 18.8 % -> 31.2 % at 128 threads"));
}

TEST(DeviceCode, ALaunchShapeAloneShowsInTheOccupancy) {
  const std::vector same{kernel("gemm(int)", 64)};
  EXPECT_THAT(code_changes(same, same, {LaunchShape{256, 0}, LaunchShape{256, 150000}}),
              ElementsAre("gemm: occupancy 50 % -> 12.5 % at 256 threads"));
  EXPECT_THAT(code_changes(same, same, {LaunchShape{256, 0}, LaunchShape{384, 0}}),
              ElementsAre("gemm: occupancy 50 % -> 37.5 % at 256 -> 384 threads"));
}

TEST(DeviceCode, KernelsComeAndGo) {
  KernelCode moved = kernel("a()");
  moved.sass_sha256 = "2";
  EXPECT_THAT(code_changes(std::vector{kernel("a()"), kernel("b()")}, std::vector{moved, kernel("c()", 40)}, {}),
              ElementsAre("a: other operands or another order of instructions", "b: gone",
                          "c: new, 40 registers, spills 0 bytes"));
  EXPECT_THAT(code_changes(std::vector{kernel("void f<64>(int)")}, std::vector{kernel("void f<80>(int)", 200)}, {}),
              ElementsAre("f<64> -> f<80>: registers 168 -> 200"));
}

TEST(DeviceCode, NoDeviceCodeProvesNothing) {
  const std::vector some{kernel("a()"), kernel("b()")};
  EXPECT_FALSE(same_device_code({}, {}));
  EXPECT_FALSE(same_device_code(some, std::vector{kernel("a()")}));
  EXPECT_FALSE(same_device_code(some, std::vector{kernel("a()"), kernel("b()", 40)}));
  EXPECT_TRUE(same_device_code(some, std::vector{kernel("b()"), kernel("a()")}));
  EXPECT_THAT(code_changes({}, some, {}), IsEmpty());
}

TEST(DeviceCode, OnlyARegressionListsIt) {
  SuiteEvidence suite = test::suite_of(test::wobble(0.05, 0.002, 4));
  suite.base_code = {kernel("a()")};
  suite.head_code = {kernel("a()", 200)};
  std::vector<Comparison> comparisons(2);
  comparisons[0].verdict = Verdict::regressed;
  comparisons[1].verdict = Verdict::unchanged;
  add_code_changes(suite, comparisons);
  EXPECT_THAT(comparisons[0].code_changes, ElementsAre("a: registers 168 -> 200"));
  EXPECT_THAT(comparisons[1].code_changes, IsEmpty());
}

}  // namespace device_code_test
}  // namespace kernelgate
