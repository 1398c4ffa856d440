// SPDX-License-Identifier: Apache-2.0
// Programs of nvcc: what makes two of them the same. Needs nvcc, no GPU.
#include <gtest/gtest.h>

#include <fstream>

#include "runner/build/identity.hpp"
#include "tests/support/test_repository.hpp"

namespace kernelgate {
namespace cuda_identity_test {

namespace fs = std::filesystem;

class CudaIdentityTest : public testing::Test {
 protected:
  // All are compiled at one path, as the build cache does it: names of kernels hold a hash of it.
  SuiteIdentity identity(const std::string& source, const std::vector<std::string>& flags = {}) const {
    std::ofstream(folder_.path / "bench.cu") << source;
    ProcessSpec spec;
    spec.argv = {KG_NVCC, "-arch=sm_90a", "-O2", "-ccbin", KG_HOST_COMPILER, "-o", "bench", "bench.cu"};
    spec.argv.insert(spec.argv.end(), flags.begin(), flags.end());
    spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=" + folder_.path.string()};
    spec.cwd = folder_.path;
    const auto done = run_process(spec);
    if (!done || !done->ok()) throw std::runtime_error(done ? done->err : to_string(done.error()));
    const auto found = suite_identity(folder_.path, "{build}/bench");
    if (!found || !*found) throw std::runtime_error("no identity");
    return **found;
  }
  static std::string program(const std::string& launch, const std::string& constant = "2") {
    return "namespace { __global__ void scale(float* x) { x[threadIdx.x] *= " + constant +
           ".0F; } }\nint main() {\n  scale<<<" + launch + ">>>(nullptr);\n}\n";
  }
  TemporaryFolder folder_{"cuda-identity"};
};

TEST_F(CudaIdentityTest, ACommentThatMovesNoLineIsTheSameProgram) {
  EXPECT_EQ(identity(program("1, 128")), identity(program("1, 128") + "// words\n"));
}

TEST_F(CudaIdentityTest, ALaunchConfigurationAloneIsAnotherProgramWithTheSameDeviceCode) {
  const auto base = identity(program("1, 128")), head = identity(program("1, 512"));
  EXPECT_NE(base.host, head.host);
  EXPECT_EQ(base.embedded, head.embedded);
}

TEST_F(CudaIdentityTest, AKernelAloneIsOtherDeviceCodeInTheSameHostProgram) {
  const auto base = identity(program("1, 128")), head = identity(program("1, 128", "3"));
  EXPECT_EQ(base.host, head.host);
  EXPECT_NE(base.embedded, head.embedded);
}

TEST_F(CudaIdentityTest, LineInformationHoldsTheSizeOfTheSource) {
  const std::vector<std::string> flags{"-lineinfo"};
  const auto base = identity(program("1, 128"), flags), head = identity(program("1, 128") + "// words\n", flags);
  EXPECT_EQ(base.host, head.host);
  EXPECT_NE(base.embedded, head.embedded);  // cuobjdump tells that they are the same
}

}  // namespace cuda_identity_test
}  // namespace kernelgate
