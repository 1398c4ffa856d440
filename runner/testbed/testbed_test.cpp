// SPDX-License-Identifier: Apache-2.0
#include "runner/testbed/testbed.hpp"

#include <gtest/gtest.h>

namespace kernelgate {
namespace testbed_test {

TEST(Testbed, ReadsTheToolkitsVersion) {
  EXPECT_EQ(
      parse_nvcc_version("nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release 13.0, V13.0.88\n"),
      "13.0");
  EXPECT_EQ(parse_nvcc_version("something else"), "");
}

TEST(Testbed, ReadsTheProcessorsName) {
  EXPECT_EQ(parse_cpu_model("processor\t: 0\nmodel\t\t: 143\nmodel name\t: Intel(R) Xeon(R) 8480C\n\n"
                            "processor\t: 1\nmodel name\t: Intel(R) Xeon(R) 8480C\n"),
            "Intel(R) Xeon(R) 8480C");
  EXPECT_EQ(parse_cpu_model("processor\t: 0\nCPU part\t: 0xd4f\nprocessor\t: 1\nCPU part\t: 0xd40\n"), "0xd40 + 0xd4f");
  EXPECT_EQ(parse_cpu_model(""), "");
}

TEST(Testbed, ThisMachineHasAProcessorAndSaysWhetherItHasAGpu) {
  const auto facts = read_machine_facts("here");
  EXPECT_EQ(facts.testbed.name, "here");
  EXPECT_FALSE(facts.testbed.host_cpu.empty());
  EXPECT_EQ(facts.has_gpu, !facts.testbed.gpu_model.empty());
  EXPECT_EQ(facts.has_gpu, facts.text.find("CPU testbed") == std::string::npos);
  EXPECT_EQ(read_machine_facts("here").testbed.host_cpu, facts.testbed.host_cpu);
}

TEST(Testbed, AGpuThatDoesNotExistIsNoGpu) { EXPECT_FALSE(read_machine_facts("here", 4096).has_gpu); }

}  // namespace testbed_test
}  // namespace kernelgate
