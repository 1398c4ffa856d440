// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/device_times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/units/limits.hpp"
#include "platform/process/scratch_folder.hpp"

namespace kernelgate::gpu {
namespace device_times_test {

using testing::HasSubstr;

constexpr std::string_view kHead = "kernelgate-device-clock 1\ncupti\t130001\n";
constexpr std::string_view kTail = "lost\t0\nend\tended\n";

std::string file_of(std::string_view lines) { return std::string(kHead) + std::string(lines) + std::string(kTail); }

TEST(DeviceTimes, AFileOfTheLibraryIsRead) {
  const auto got =
      parse_device_times(file_of("fill\t4096,0,0\t0,0,0\t14\t0\t15000\t1\t1088 1056\tfill\n"
                                 "kernel\t256,1,1\t128,1,1\t461\t0\t456000\t64\t5000 992 960 992\tvoid f<int>(int*)\n"
                                 "copy\t8,0,0\t0,0,0\t12\t0\t12000\t1\t1000\tdevice to host\n"
                                 "copy\t8,0,0\t0,0,0\t12\t12\t12000\t1\t1000\ton the device\n"),
                         456, "f");
  ASSERT_TRUE(got) << to_string(got.error());
  ASSERT_EQ(got->kernels.size(), 3U) << "copies to the host are left out";
  const KernelTime& kernel = got->kernels[1];
  EXPECT_EQ(kernel.kernel, "void f<int>(int*)");
  EXPECT_EQ(kernel.grid, "256,1,1");
  EXPECT_NEAR(kernel.per_iteration, 1.011, .001);
  EXPECT_NEAR(kernel.mean_ns, (992 + 960 + 992) / 3.0, 1e-9) << "without the first quarter";
  EXPECT_NEAR(kernel.sd_ns, 15.08, .01);
  EXPECT_EQ(kernel.samples, 3);
  EXPECT_EQ(got->kernels[2].kernel, "copy on the device");
}

TEST(DeviceTimes, ARefusalIsNoError) {
  const auto got = parse_device_times("kernelgate-device-clock 1\nrefused\tCUPTI is missing\nend\tended\n", 1, "f");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->refused, "CUPTI is missing");
}

TEST(DeviceTimes, WhatAProgramMayWriteIsBounded) {
  const std::string good = "kernel\t1,1,1\t1,1,1\t9\t0\t9\t1\t32\tk\n";
  std::string many_kernels, many_durations = "kernel\t1,1,1\t1,1,1\t9999999\t0\t9\t1\t";
  for (int i = 0; i <= limits::kDeviceKernelsMax; ++i) many_kernels += good;
  for (std::size_t i = 0; i <= limits::kDeviceDurationsMax; ++i) many_durations += "32 ";
  const std::pair<std::string, const char*> cases[] = {
      {"kernelgate-device-clock 2\n", "that this program knows"},
      {std::string(kHead) + good + "lost\t0\nend\trunning\n", "cut short"},
      {std::string(kHead) + good, "cut short"},
      {std::string(kHead) + "lost\t3\nend\tended\n", "records were lost"},
      {file_of("kernel\t1,1\t1,1,1\t9\t0\t9\t1\t32\tk\n"), "f:3: a line"},
      {file_of("kernel\t1,1,1,\t1,1,1\t9\t0\t9\t1\t32\tk\n"), "damaged"},
      {file_of("kernel\t1,1,1\t1,1,1\t-9\t0\t9\t1\t32\tk\n"), "damaged"},
      {file_of("kernel\t1,1,1\t1,1,1\t9\t0\t9\t1\t3e9\tk\n"), "damaged"},
      {file_of("kernel\t1,1,1\t1,1,1\t1\t0\t9\t1\t32 32\tk\n"), "damaged"},
      {file_of("kernel\t1,1,1\t1,1,1\t9\t0\t9\t1\t99999999999999999999\tk\n"), "damaged"},
      {file_of("kernel\t1,1,1\t1,1,1\t9\t0\t9\t1\t32\t" + std::string(5000, 'k') + "\n"), "damaged"},
      {file_of("kernel\t1,1,1\t1,1,1\t9\t0\t9\t1\t32\tk\x1b[31m\n"), "damaged"},
      {file_of(many_kernels), "more than 256 kernels"},
      {file_of(many_durations + "\tk\n"), "damaged"},
  };
  for (const auto& [text, says] : cases) {
    const auto got = parse_device_times(text, 1, "f");
    ASSERT_FALSE(got) << says << ": " << text.substr(0, 120);
    EXPECT_THAT(to_string(got.error()), HasSubstr(says));
  }
}

TEST(DeviceTimes, FilesOfSeveralProcessesAreOneRecord) {
  const ScratchFolder folder("device-times-test");
  EXPECT_TRUE(read_device_times(folder.path(), 1)->kernels.empty());
  std::ofstream(folder.path() / "7.txt") << file_of("kernel\t1,1,1\t1,1,1\t9\t0\t9\t1\t32\ta\n");
  std::ofstream(folder.path() / "8.txt") << file_of("kernel\t1,1,1\t1,1,1\t9\t0\t9\t1\t32\tb\n");
  std::ofstream(folder.path() / "8.txt.draft") << "half";
  EXPECT_EQ(read_device_times(folder.path(), 1)->kernels.size(), 2U);
  std::filesystem::create_symlink("/etc/passwd", folder.path() / "9.txt");
  EXPECT_FALSE(read_device_times(folder.path(), 1));
}

TEST(DeviceTimes, AHugeFileIsNotRead) {
  const ScratchFolder folder("device-times-test");
  std::ofstream(folder.path() / "7.txt") << "x";
  std::filesystem::resize_file(folder.path() / "7.txt", limits::kDeviceClockFileMax.value + 1);
  const auto got = read_device_times(folder.path(), 1);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, Errc::too_large);
}

}  // namespace device_times_test
}  // namespace kernelgate::gpu
