// SPDX-License-Identifier: Apache-2.0
#include "runner/code/code.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "tests/support/test_repository.hpp"

namespace kernelgate::gpu {
namespace code_test {

namespace fs = std::filesystem;
using testing::SizeIs;

// A build whose disassembly lies beside the program (tests/support/cuobjdump).
class DeviceCodeTest : public testing::Test {
 protected:
  DeviceCodeTest() {
    write("usage.txt", "arch = sm_90a\n Function k:\n  REG:40 STACK:0 SHARED:0 LOCAL:0\n");
    write("sass.txt", "arch = sm_90a\nFunction : k\n/*0000*/ HGMMA.64x8x16.F32 R4 ; /* 0x01 */\n");
    compile("int table[] = {1, 2};");
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_.path / name) << text; }
  // Any ELF object has the sections that count.
  void compile(const std::string& source) const {
    write("data.c", source);
    ProcessSpec spec;
    spec.argv = {"cc", "-c", "data.c", "-o", "data.elf"};
    spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin"};
    spec.cwd = folder_.path;
    const auto done = run_process(spec);
    ASSERT_TRUE(done && done->ok());
  }
  Result<DeviceCode> read() const {
    const auto sandbox = Sandbox::open({.none = true});
    EXPECT_TRUE(sandbox);
    return read_device_code({&*sandbox, folder_.path, {"program"}, KG_TABLE_CUOBJDUMP}, {});
  }
  TemporaryFolder folder_{"code"};
};

TEST_F(DeviceCodeTest, KernelsAndDataAreRead) {
  const auto code = read();
  ASSERT_TRUE(code) << to_string(code.error());
  ASSERT_THAT(code->kernels, SizeIs(1));
  EXPECT_EQ(code->kernels[0].registers, 40);
  EXPECT_EQ(code->kernels[0].instructions.at("HGMMA"), 1);
}

TEST_F(DeviceCodeTest, LongNamesAreReadWithinBounds) {
  std::string bomb = "_Z1fSt4pairIiiE", fair = "_Z1fSt4pairIiiE";
  for (const char c : std::string("_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
    const std::string reference = c == '_' ? "S_" : fmt::format("S{}_", c);
    bomb += "S_I" + reference + reference + "E";
    fair += "S0_";
  }
  write("usage.txt", "arch = sm_90a\n Function " + fair + ":\n  REG:40 STACK:0 SHARED:0 LOCAL:0\n");
  write("sass.txt", "arch = sm_90a\n");
  auto code = read();
  ASSERT_TRUE(code) << to_string(code.error());
  EXPECT_THAT(code->kernels.at(0).kernel, testing::StartsWith("f(std::pair<int, int>, std::pair<int, int>"));
  write("usage.txt", "arch = sm_90a\n Function " + bomb + ":\n  REG:40 STACK:0 SHARED:0 LOCAL:0\n");
  code = read();
  ASSERT_TRUE(code) << to_string(code.error());
  EXPECT_EQ(code->kernels.at(0).kernel, bomb);  // it stands for terabytes
  EXPECT_EQ(code->kernels.at(0).registers, 40);
}

TEST_F(DeviceCodeTest, InitialisedVariablesCountAndDebugInformationDoesNot) {
  const auto first = read();
  compile("// words\nint table[] = {1, 2};");
  EXPECT_EQ(read()->data_sha256, first->data_sha256);
  compile("int table[] = {1, 3};");
  EXPECT_NE(read()->data_sha256, first->data_sha256);
}

TEST_F(DeviceCodeTest, AFailureIsSaid) {
  write("broken", "");
  const auto code = read();
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().code, Errc::corrupt);
  EXPECT_THAT(code.error().what, testing::HasSubstr("bad file"));
}

TEST(CudaTools, AreLookedForInTheirFolder) {
  EXPECT_EQ(find_cuda_tool("cuobjdump", fs::path(KG_TABLE_CUOBJDUMP).parent_path()), fs::canonical(KG_TABLE_CUOBJDUMP));
  EXPECT_TRUE(find_cuda_tool("no-such-tool").empty());
}

}  // namespace code_test
}  // namespace kernelgate::gpu
