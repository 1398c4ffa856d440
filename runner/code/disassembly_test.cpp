// SPDX-License-Identifier: Apache-2.0
#include "runner/code/disassembly.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "core/units/limits.hpp"

namespace kernelgate {
namespace disassembly_test {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

// The shape of cuobjdump's texts, as its manual shows them.
constexpr std::string_view kUsage = R"(
Fatbin elf code:
================
arch = sm_90a
code version = [1,8]
host = linux
compile_size = 64bit

Resource usage:
 Common:
  GLOBAL:0
 Function _Z4gemmILi64EEvPKfPf:
  REG:168 STACK:48 SHARED:1024 LOCAL:0 CONSTANT[0]:556 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function _ZN33_GLOBAL__N__c1fe8f65_4_k_cu_table6hiddenEPf:
  REG:10 STACK:0 SHARED:0 LOCAL:8 CONSTANT[0]:536 TEXTURE:0 SURFACE:0 SAMPLER:0

Fatbin ptx code:
================
arch = sm_90a
code version = [9,0]
)";

constexpr std::string_view kSass = R"(
Fatbin elf code:
================
arch = sm_90a
host = linux

	code for sm_90a
		Function : _Z4gemmILi64EEvPKfPf
	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                                /* 0x00000a00ff017b82 */
                                                                                         /* 0x000fe20000000800 */
        /*0010*/                   LDG.E.128.CONSTANT R4, desc[UR4][R2.64] ;             /* 0x0000000402047981 */
                                                                                         /* 0x000ea8000c1e9d00 */
        /*0020*/                   STL.64 [R1+0x8], R4 ;                                 /* 0x0000080401007387 */
                                                                                         /* 0x0041e20000100a00 */
        /*0030*/              @!P0 HGMMA.64x64x16.F32 R24, gdesc[UR8], R24 ;             /* 0x00e00000081879f0 */
                                                                                         /* 0x000fe20008700818 */
        /*0040*/              @P1  BRA 0x20 ;                                            /* 0xfffffffc00f81947 */
                                                                                         /* 0x000fc0000383ffff */
		..........

		Function : _ZN33_GLOBAL__N__c1fe8f65_4_k_cu_table6hiddenEPf
        /*0000*/                   EXIT ;                                                /* 0x000000000000794d */
                                                                                         /* 0x000fea0003800000 */
)";

std::vector<KernelCode> parse(std::string_view usage, std::string_view sass) {
  auto parsed = parse_device_code(usage, sass);
  EXPECT_TRUE(parsed);
  return parsed ? *parsed : std::vector<KernelCode>();
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Disassembly, ReadsResourcesAndInstructions) {
  const auto kernels = parse(kUsage, kSass);
  ASSERT_THAT(kernels, SizeIs(2));
  const KernelCode& gemm = kernels[0];
  EXPECT_EQ(gemm.kernel, "void gemm<64>(float const*, float*)");
  EXPECT_EQ(gemm.arch, "sm_90a");
  EXPECT_EQ(gemm.registers, 168);
  EXPECT_EQ(gemm.stack_bytes, 48);
  EXPECT_EQ(gemm.static_shared_bytes, 1024);
  EXPECT_EQ(gemm.local_bytes, 0);
  EXPECT_EQ(gemm.spill_stores, 1);
  EXPECT_EQ(gemm.spill_loads, 0);
  EXPECT_THAT(gemm.instructions, ElementsAre(Pair("BRA", 1), Pair("HGMMA", 1), Pair("LDG.128", 1), Pair("STL", 1)));
  EXPECT_EQ(kernels[1].kernel, "(anonymous namespace)::hidden(float*)");
  EXPECT_EQ(kernels[1].local_bytes, 8);
  EXPECT_NE(kernels[1].sass_sha256, gemm.sass_sha256);
}

std::string golden(const std::string& name) {
  std::ifstream file(std::string(KG_GOLDEN) + "/cuobjdump/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Counts by grep, registers by eye: an independent reading of the same text.
TEST(Disassembly, ReadsWhatTheToolkitPrints) {
  const auto kernels = parse(golden("h200.usage.txt"), golden("h200.sass.txt"));
  ASSERT_THAT(kernels, SizeIs(6));
  const auto named = [&kernels](const std::string& name) {
    for (const KernelCode& code : kernels)
      if (code.kernel.find(name) != std::string::npos) return code;
    ADD_FAILURE() << name;
    return KernelCode();
  };
  const KernelCode good = named("good_kernel"), hang = named("hang_kernel"), other = named("assert_kernel");
  EXPECT_EQ(good.kernel, "(anonymous namespace)::good_kernel(float const*, float*)");
  EXPECT_EQ(good.arch, "sm_90a");
  EXPECT_EQ(good.registers, 10);
  EXPECT_THAT(good.instructions,
              ElementsAre(Pair("BRA", 1), Pair("FADD", 1), Pair("IMAD", 3), Pair("LDG.32", 1), Pair("STG.32", 1)));
  EXPECT_THAT(hang.instructions, ElementsAre(Pair("BRA", 2), Pair("HFMA2", 1), Pair("LDG.32", 1), Pair("STG.32", 1)));
  EXPECT_EQ(other.registers, 24);
  EXPECT_NE(good.sass_sha256, hang.sass_sha256);
}

TEST(Disassembly, TheHashSeesEncodingsAndNotOffsetsOrColumns) {
  const auto hash = [](const std::string& sass) { return parse(kUsage, sass)[0].sass_sha256; };
  const std::string sass(kSass);
  const std::string same = hash(sass);
  EXPECT_EQ(hash(changed(sass, "/*0010*/                   LDG", "/*0410*/       LDG")), same);
  EXPECT_EQ(hash(changed(sass, "R1, c[0x0][0x28] ;        ", "R1, c[0x0][0x28] ;   ")), same);
  EXPECT_EQ(hash(changed(sass, "EF_CUDA_SM90", "EF_CUDA_SM90 EF_CUDA_OTHER")), same);
  EXPECT_NE(hash(changed(sass, "0x000ea8000c1e9d00", "0x000eb8000c1e9d00")), same);  // a scheduling bit
  EXPECT_NE(hash(changed(sass, "[R1+0x8]", "[R1+0xc]")), same);
}

TEST(Disassembly, ClassesOfInstructions) {
  const std::vector<std::pair<const char*, const char*>> cases = {{"LDG.E", "LDG.32"},
                                                                  {"LDG.E.64", "LDG.64"},
                                                                  {"LDG.E.128.CONSTANT", "LDG.128"},
                                                                  {"LDG.E.U8", "LDG.8"},
                                                                  {"STG.E.128", "STG.128"},
                                                                  {"STG.E.U16.STRONG.GPU", "STG.16"},
                                                                  {"HGMMA.64x8x16.F32", "HGMMA"},
                                                                  {"HMMA.16816.F32", "HMMA"},
                                                                  {"UTCHMMA.2CTA", "UTCHMMA"},
                                                                  {"QGMMA.64x8x32.F32", "QGMMA"},
                                                                  {"FFMA.FTZ", "FFMA"},
                                                                  {"LDGSTS.E.BYPASS.128", "LDGSTS"},
                                                                  {"MOV", ""},
                                                                  {"", ""},
                                                                  {"S2R", ""}};
  for (const auto& [opcode, name] : cases) EXPECT_EQ(instruction_class(opcode), name) << opcode;
}

TEST(Disassembly, TextOfNoDeviceCodeIsEmpty) {
  EXPECT_THAT(parse("", ""), IsEmpty());
  EXPECT_THAT(parse("cuobjdump info : File 'a' does not contain device code\n", ""), IsEmpty());
  EXPECT_THAT(parse(" Function :\n REG:\n", "/*0000*/ EXIT ;\nFunction : \n/*\n/*0"), testing::SizeIs(testing::Le(1)));
}

// pair<pair<...>, pair<...>>: each step doubles what comes out.
std::string doubling_name(int steps) {
  std::string out = "_Z1fSt4pairIiiE";
  const auto reference = [](int i) {
    const auto digit = static_cast<char>(i < 10 ? '0' + i : 'A' + i - 10);
    return fmt::format("S{}_", digit);
  };
  for (int i = 0; i < steps; ++i) out += "S_I" + reference(i) + reference(i) + "E";
  return out;
}

TEST(Disassembly, ANameThatStandsForGigabytesStaysAsItIs) {
  EXPECT_EQ(demangle("_Z4gemmILi64EEvPKfPf"), "void gemm<64>(float const*, float*)");
  EXPECT_THAT(demangle(doubling_name(3)), testing::StartsWith("f(std::pair<int, int>"));
  EXPECT_EQ(demangle(doubling_name(30)), doubling_name(30));
  EXPECT_EQ(demangle("_ZTSTS"), "_ZTSTS");
}

TEST(Disassembly, OddTextIsReadAsFarAsItGoes) {
  // Cut short anywhere, and with each byte in turn made another: never more kernels than the text has.
  for (std::size_t cut = 0; cut < kSass.size(); ++cut) {
    EXPECT_LE(parse(kUsage.substr(0, cut), kSass.substr(0, cut)).size(), 3U) << cut;
    std::string odd(kSass);
    odd[cut] = "\0\n:/*@;\xff"[cut % 8];
    EXPECT_LE(parse("", odd).size(), 3U) << cut;
  }
  const auto numbers = parse("arch = sm_90a\n Function k:\n  REG:99999999999 STACK:-8 SHARED: LOCAL:0x10\n", "");
  ASSERT_THAT(numbers, SizeIs(1));
  EXPECT_EQ(numbers[0].registers, 0);
  EXPECT_EQ(numbers[0].stack_bytes, 0);
  EXPECT_EQ(numbers[0].static_shared_bytes, 0);
  EXPECT_THAT(parse("REG:3\nFunction\nFunction :\n", "/*0000*/ EXIT ; /* 0x0 */\n/*\n*/\n"), IsEmpty());
}

TEST(Disassembly, TooManyKernelsAreRefused) {
  std::string usage = "arch = sm_90\n";
  for (int i = 0; i <= limits::kKernelsMax; ++i)
    usage += "Function k" + std::to_string(i) + ":\nREG:1 STACK:0 SHARED:0 LOCAL:0\n";
  EXPECT_EQ(parse_device_code(usage, "").error().code, Errc::too_large);
}

}  // namespace disassembly_test
}  // namespace kernelgate
