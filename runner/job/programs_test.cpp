// SPDX-License-Identifier: Apache-2.0
#include "runner/job/programs.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/support/table_repository.hpp"

namespace kernelgate {
namespace programs_test {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Programs in C that carry device code as nvcc embeds it; what a disassembler says of it lies beside them.
class ProgramsTest : public testing::Test {
 protected:
  static std::string suite(const std::string& embedded, int block = 256) {
    return "#include <stdio.h>\n"
           "__attribute__((section(\".nv_fatbin\"), used)) static const char device[64] = \"" +
           embedded + "\";\nint main(int n, char** a) { (void)a; puts(\"a\"); return n > " + std::to_string(block) +
           "; }\n";
  }
  static std::string usage(int registers, int stack = 0) {
    return "arch = sm_90a\n Function gemm:\n  REG:" + std::to_string(registers) + " STACK:" + std::to_string(stack) +
           " SHARED:0 LOCAL:0\n";
  }
  static std::string sass(const std::string& instruction) {
    return "arch = sm_90a\nFunction : gemm\n/*0000*/ " + instruction + " ; /* 0x01 */\n";
  }
  static constexpr const char* kBuild =
      "cc -O1 -o \"$2/suite\" \"$1/suite.c\" && cc -c -o \"$2/data.elf\" \"$1/data.c\" && "
      "cp \"$1/check.sh\" \"$1/usage.txt\" \"$1/sass.txt\" \"$2/\"\n";

  // The base of every test; the build is an input like any other.
  CommitHash base() {
    return repository_.commit({{"kernelgate.toml", manifest()},
                               {"suite.c", suite("one")},
                               {"build.sh", kBuild},
                               {"data.c", "int table = 1;\n"},
                               {"usage.txt", usage(64)},
                               {"sass.txt", sass("HGMMA.64x8x16.F32 R4")}});
  }
  static std::string manifest() {
    std::string text = TableRepository::manifest("");
    text.insert(text.find("\"*.c\""), "\"*.txt\", ");
    const std::string script = "sh {build}/check.sh";  // a script proves nothing
    return text.replace(text.find(script), script.size(), "{build}/suite --check");
  }
  Verdict verdict_of(const std::map<std::string, std::string>& files) {
    const auto decision = repository_.judge(repository_.request_for(repository_.commit(files)));
    if (decision.comparisons.size() != 1) {
      ADD_FAILURE() << decision.summary;
      return Verdict::undecided;
    }
    return decision.comparisons.front().verdict;
  }
  const SuiteEvidence& evidence() { return repository_.last.evidence.suites.front(); }

  TableRepository repository_;
};

TEST_F(ProgramsTest, ACommentCostsNoTimeOnTheDevice) {
  const auto first = base();
  repository_.judge(repository_.request_for(first));  // what is known of base stays with its build
  EXPECT_EQ(verdict_of({{"suite.c", suite("one") + "// words\n"}}), Verdict::identical);
  EXPECT_THAT(repository_.reporter.processes, IsEmpty());
  EXPECT_EQ(repository_.last.gpu_s_held, 0);
  EXPECT_EQ(repository_.last.gpu_s_used, 0);
}

TEST_F(ProgramsTest, OtherBytesOfTheSameCodeAreIdentical) {
  repository_.cuda_tools = KG_TABLE_CUDA_TOOLS;
  base();
  EXPECT_EQ(verdict_of({{"suite.c", suite("two")}}), Verdict::identical);
  EXPECT_THAT(evidence().head_code, SizeIs(1));
}

TEST_F(ProgramsTest, AWrongKernelIsRunUnderMemcheckWithoutBeingToldThatItIsOne) {
  repository_.cuda_tools = KG_TABLE_CUDA_TOOLS;
  repository_.sanitizer = repository_.folder().parent_path() / "compute-sanitizer";
  std::ofstream(repository_.sanitizer) << "#!/bin/sh\necho '========= ERROR SUMMARY: 0 errors'\n";
  std::filesystem::permissions(repository_.sanitizer, std::filesystem::perms::owner_all);
  base();
  EXPECT_EQ(verdict_of({{"suite.c", suite("two", 1)}}), Verdict::broken);  // the check ends with 1
  EXPECT_THAT(evidence().failures.front().text, HasSubstr("memcheck: found nothing wrong"));
}

TEST_F(ProgramsTest, OtherBytesProveNothingWithoutADisassembler) {
  repository_.cuda_tools = repository_.folder();
  base();
  EXPECT_NE(verdict_of({{"suite.c", suite("two")}}), Verdict::identical);
  EXPECT_THAT(repository_.last.evidence.notices, Contains(HasSubstr("there is no cuobjdump")));
}

TEST_F(ProgramsTest, InstructionsResourcesDataAndLaunchesCount) {
  repository_.cuda_tools = KG_TABLE_CUDA_TOOLS;
  base();
  EXPECT_NE(verdict_of({{"suite.c", suite("two")}, {"sass.txt", sass("HMMA.16816.F32 R4")}}), Verdict::identical);
  EXPECT_NE(verdict_of({{"suite.c", suite("three")}, {"usage.txt", usage(255, 48)}}), Verdict::identical);
  EXPECT_EQ(evidence().base_code.front().registers, 64);
  EXPECT_EQ(evidence().head_code.front().stack_bytes, 48);
  EXPECT_NE(verdict_of({{"suite.c", suite("four")}, {"data.c", "int table = 2;\n"}}), Verdict::identical);
  // The launch configuration is host code: the device code is the same.
  EXPECT_NE(verdict_of({{"suite.c", suite("four", 512)}}), Verdict::identical);
  EXPECT_EQ(verdict_of({{"suite.c", suite("five", 512)}}), Verdict::identical);
}

TEST_F(ProgramsTest, TheDeviceIsHeldThoughListsAndChecksAreRemembered) {
  repository_.commit({{"times", "a\t100\n"}});
  const auto head = repository_.commit({{"times", "a\t140\n"}});
  repository_.judge(repository_.request_for(head));
  repository_.judge(repository_.request_for(head));
  EXPECT_GT(repository_.last.gpu_s_used, 0);
  EXPECT_GE(repository_.last.gpu_s_held, repository_.last.gpu_s_used);
}

}  // namespace programs_test
}  // namespace kernelgate
