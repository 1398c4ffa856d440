// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <string>

#include "commands/compare/compare.hpp"

namespace kernelgate::local {
namespace compare_formats_test {

using testing::HasSubstr;

const std::string kGolden = KG_GOLDEN_DIR;
const std::string kNvbench = kGolden + "/../formats/nvbench/result.json";
const std::string kPytest = kGolden + "/../formats/pytest/3.2.2.json";
const std::string kGoogle = kGolden + "/1.9.4.json";

Result<RunDecision> compare(const std::string& base, const std::string& head) {
  CompareRequest request;
  request.base = {base, base, base, base};
  request.head = {head, head, head, head};
  return compare_files(request);
}

TEST(CompareFormats, EachFormatIsReadByLookingAtTheFile) {
  struct Case {
    std::string file, benchmark;
  };
  for (const Case& c : {Case{kNvbench, "copy_type_sweep/T=U8"}, Case{kPytest, "test_golden.py::test_gemm[128]"},
                        Case{kGoogle, "gemm/naive/8"}}) {
    const auto decision = compare(c.file, c.file);
    ASSERT_TRUE(decision) << to_string(decision.error());
    bool found = false;
    for (const Comparison& comparison : decision->comparisons) {
      if (comparison.benchmark != c.benchmark) continue;
      found = true;
      EXPECT_EQ(comparison.verdict, Verdict::unchanged) << c.benchmark;
    }
    EXPECT_TRUE(found) << c.benchmark;
  }
}

TEST(CompareFormats, FormatsAreNotMixed) {
  const auto mixed = compare(kNvbench, kPytest);
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().code, Errc::invalid);
  EXPECT_EQ(mixed.error().where, kPytest);
  EXPECT_THAT(mixed.error().what, HasSubstr("is in the format pytest-benchmark, and " + kNvbench + " in nvbench"));
}

TEST(CompareFormats, NvbenchWithoutItsSampleFilesIsRefused) {
  const std::string means_only = kGolden + "/../formats/nvbench/ref.json";
  const auto refused = compare(means_only, means_only);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().fix, HasSubstr("--jsonbin"));
}

}  // namespace compare_formats_test
}  // namespace kernelgate::local
