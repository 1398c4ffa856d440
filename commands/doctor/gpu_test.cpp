// SPDX-License-Identifier: Apache-2.0
#include "commands/doctor/gpu.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>

#include "tests/support/table_gpu.hpp"

namespace kernelgate::doctor {
namespace gpu_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

class GpuTrials : public testing::Test {
 protected:
  GpuTrials() {
    std::string pattern = (fs::temp_directory_path() / "kg_gpu_XXXXXX").string();
    folder = mkdtemp(pattern.data());
    // What the injected library would write, CUDA loading it.
    tools.health =
        program("kg_probe_health",
                "[ -z \"$KERNELGATE_DEVICE_CLOCK\" ] || printf 'kernelgate-device-clock 1\\nkernel\\t1,1,1\\t"
                "1,1,1\\t1\\t0\\t32\\t1\\t32\\tk\\nend\\tended\\n' >\"$KERNELGATE_DEVICE_CLOCK/1.txt\"");
    tools.device_clock = program("libkernelgate_device_clock.so", "");
    tools.ncu = program("ncu", "case $1 in --version) echo Version 2025.3 ;; *) echo sm__cycles_elapsed.max 7 ;; esac");
    tools.sanitizer = program("compute-sanitizer", "echo '========= ERROR SUMMARY: 0 errors'");
  }
  ~GpuTrials() override { fs::remove_all(folder); }
  fs::path program(const std::string& name, const std::string& body) const {
    std::ofstream(folder / name) << "#!/bin/sh\n" << body << '\n';
    fs::permissions(folder / name, fs::perms::owner_all);
    return folder / name;
  }
  [[nodiscard]] std::vector<Finding> examine() const {
    const auto sandbox = Sandbox::open({.none = true});
    return try_gpu(*sandbox, tools);
  }
  fs::path folder;
  GpuTools tools;
};

TEST(GpuState, SaysWhatAPairWouldFind) {
  gpu::TableGpu table;
  auto gpu = table.open();
  auto found = find_gpu_state(gpu);
  EXPECT_EQ(found.grade, Grade::ok) << found.text;
  EXPECT_EQ(found.text, "1980 MHz, 35 °C, 122 W");
  table.set({{"temperature_c", "80"}, {"reasons", "0x40"}, {"ecc_uncorrected", ""}});
  found = find_gpu_state(gpu);
  EXPECT_EQ(found.grade, Grade::warning);
  EXPECT_THAT(found.text, HasSubstr("clock held by hw_thermal, not readable: memory errors; a pair would wait: "));
  EXPECT_THAT(found.text, HasSubstr("too hot: 80"));
}

TEST_F(GpuTrials, WhatWorksIsSaidForEach) {
  const auto found = examine();
  ASSERT_EQ(found.size(), 4U);
  for (const auto& finding : found) EXPECT_EQ(finding.grade, Grade::ok) << finding.topic << ": " << finding.text;
  EXPECT_THAT(found[0].text, HasSubstr("computes"));
  EXPECT_EQ(found[1].text, "Version 2025.3; counters can be read");
  EXPECT_THAT(found[2].text, HasSubstr("memcheck: found nothing wrong"));
  EXPECT_EQ(found[3].text, "times kernels");
}

TEST_F(GpuTrials, AClockThatCudaDoesNotLoadOrCuptiRefusesIsSaid) {
  program("kg_probe_health", "exit 0");
  EXPECT_THAT(examine()[3].text, HasSubstr("does not work: CUDA did not load libkernelgate_device_clock.so"));
  program("kg_probe_health",
          "printf 'kernelgate-device-clock 1\\nrefused\\tCUPTI is missing\\nend\\tended\\n' "
          ">\"$KERNELGATE_DEVICE_CLOCK/1.txt\"");
  EXPECT_EQ(examine()[3].text, "does not work: CUPTI is missing");
}

TEST_F(GpuTrials, WhatFailsSaysWhyAndHowToMendIt) {
  program("kg_probe_health", "echo 'CUDA error: no device'; exit 1");
  program("ncu", "case $1 in --version) echo Version 1 ;; *) echo ERR_NVGPUCTRPERM; exit 9 ;; esac");
  program("compute-sanitizer", "echo '========= Error: Target application terminated before first instrumented call'");
  const auto found = examine();
  EXPECT_THAT(found[0].text, HasSubstr("exit code 1: CUDA error: no device"));
  EXPECT_THAT(found[1].text, HasSubstr("Version 1; does not work: exit code 9: ERR_NVGPUCTRPERM"));
  EXPECT_THAT(found[2].text, HasSubstr("before first instrumented call"));
  for (const auto& finding : found) {
    EXPECT_EQ(finding.grade, Grade::warning) << finding.topic;
    EXPECT_FALSE(finding.fix.empty()) << finding.topic;
  }
}

TEST_F(GpuTrials, WhatIsNotThereIsNotTried) {
  tools = {.health = {}, .ncu = (folder / "absent").string(), .sanitizer = {}};
  const auto found = examine();
  EXPECT_THAT(found[0].text, HasSubstr("not tried"));
  EXPECT_EQ(found[1].text, "not found");
  EXPECT_EQ(found[2].text, "not found");
  EXPECT_THAT(found[3].text, HasSubstr("judged by the host's times alone"));
}

}  // namespace gpu_test
}  // namespace kernelgate::doctor
