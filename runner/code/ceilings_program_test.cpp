// SPDX-License-Identifier: Apache-2.0
#include "runner/code/ceilings_program.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "runner/code/code.hpp"
#include "tests/support/test_repository.hpp"

namespace kernelgate::gpu {
namespace ceilings_program_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CeilingsProgramTest : public testing::Test {
 protected:
  // A compiler that notes how it was called, and makes a program unless its words hold `refuses`.
  fs::path compiler(const std::string& refuses) const {
    const fs::path file = folder_.path / "nvcc";
    std::ofstream(file) << "#!/bin/sh\necho \"$*\" >>\"" << (folder_.path / "calls").string() << "\"\ncase \"$*\" in *"
                        << refuses << "*) echo 'cannot find it' >&2; exit 1 ;; esac\n"
                        << "for last; do :; done\necho '#!/bin/sh' >\"$last\"\n";
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  std::string calls() const {
    std::ifstream file(folder_.path / "calls");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  TemporaryFolder folder_{"probe"};
};

TEST_F(CeilingsProgramTest, IsBuiltOnceWithAllThatItIncludes) {
  const fs::path nvcc = compiler("nothing");
  const auto program = ceilings_program_in(folder_.path, nvcc, "native", {});
  ASSERT_TRUE(program) << to_string(program.error());
  EXPECT_EQ(*ceilings_program_in(folder_.path, nvcc, "native", {}), *program);
  const std::string once = calls();
  EXPECT_EQ(std::count(once.begin(), once.end(), '\n'), 1);
  EXPECT_THAT(once, testing::AllOf(HasSubstr("-arch=native"), HasSubstr("kernels/probe/ceilings.cu"),
                                   HasSubstr("matrix_rates.cu"), HasSubstr("-lcublasLt")));
  for (const EmbeddedSource& source : ceilings_sources()) {
    const std::string text = source.text;
    for (std::size_t at = 0; (at = text.find("#include \"", at)) != std::string::npos; ++at) {
      const std::string wanted = text.substr(at + 10, text.find('"', at + 10) - at - 10);
      const auto is_wanted = [&wanted](const EmbeddedSource& other) { return other.path == wanted; };
      EXPECT_TRUE(std::any_of(ceilings_sources().begin(), ceilings_sources().end(), is_wanted))
          << source.path << " includes " << wanted;
    }
  }
}

TEST_F(CeilingsProgramTest, WithoutCublasLtTheMatrixRatesAreLeftOut) {
  ASSERT_TRUE(ceilings_program_in(folder_.path, compiler("cublasLt"), "native", {}));
  EXPECT_THAT(calls(), HasSubstr("\n"));
  EXPECT_EQ(calls().rfind("matrix_rates"), calls().find("matrix_rates")) << "in the first call alone";
}

TEST_F(CeilingsProgramTest, WhatDoesNotBuildIsSaidAndNotKept) {
  const auto failed = ceilings_program_in(folder_.path, compiler("ceilings"), "native", {});
  ASSERT_FALSE(failed);
  EXPECT_THAT(to_string(failed.error()), HasSubstr("cannot find it"));
  EXPECT_EQ(ceilings_program_in(folder_.path, {}, "native", {}).error().code, Errc::not_found);
}

// The real compiler, where there is one; without a GPU the program says so.
TEST_F(CeilingsProgramTest, TheSourcesAreAProgram) {
  const fs::path nvcc = find_cuda_tool("nvcc", {});
  if (nvcc.empty()) GTEST_SKIP() << "there is no nvcc";
  const auto program = ceilings_program_in(folder_.path, nvcc, "sm_90", {});
  ASSERT_TRUE(program) << to_string(program.error());
  ProcessSpec spec{.argv = {program->string()}};
  spec.env = {"CUDA_VISIBLE_DEVICES="};
  const auto ended = run_process(spec);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit_code, 3) << ended->err;
}

}  // namespace ceilings_program_test
}  // namespace kernelgate::gpu
