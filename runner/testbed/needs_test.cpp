// SPDX-License-Identifier: Apache-2.0
#include "runner/testbed/needs.hpp"

#include <gtest/gtest.h>

namespace kernelgate {
namespace needs_test {

TEST(UnmetNeeds, ComputeCapabilityIsHeldAgainstTheGpus) {
  SuiteSpec spec;
  spec.name = "gemm";
  MachineFacts machine;
  EXPECT_EQ(unmet_needs(spec, machine), "");
  spec.requires_gpu = true;
  EXPECT_EQ(unmet_needs(spec, machine), "gemm needs a GPU and this machine has none");
  machine.has_gpu = true;
  machine.testbed.compute_capability = "8.6";
  EXPECT_EQ(unmet_needs(spec, machine), "");
  spec.requires_compute = "9.0";
  EXPECT_EQ(unmet_needs(spec, machine), "gemm needs compute capability 9.0 and this machine has 8.6");
  for (const char* enough : {"9.0", "9.1", "10.0", "12.1"}) {
    machine.testbed.compute_capability = enough;
    EXPECT_EQ(unmet_needs(spec, machine), "") << enough;
  }
  machine.testbed.compute_capability = "";
  EXPECT_EQ(unmet_needs(spec, machine), "gemm needs compute capability 9.0 and this machine has none that can be read");
  spec.requires_compute = "12.10";
  machine.testbed.compute_capability = "12.9";
  EXPECT_NE(unmet_needs(spec, machine), "");
}

}  // namespace needs_test
}  // namespace kernelgate
