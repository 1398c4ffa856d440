// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/api/pattern_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>

namespace kernels::bsr {
namespace {

using testing::HasSubstr;

BsrMatrix good() {
  return {.rows = 64,
          .columns = 96,
          .block_rows = 32,
          .block_columns = 32,
          .row_begin = {0, 2, 3},
          .block_column = {0, 2, 1},
          .values = {}};
}

TEST(PatternProblem, GoodOnesHaveNone) {
  EXPECT_EQ(pattern_problem(good(), 8), "");
  EXPECT_EQ(pattern_problem(good(), 0), "");
  BsrMatrix empty;
  empty.row_begin = {0};
  EXPECT_EQ(pattern_problem(empty, 8), "");
}

TEST(PatternProblem, SaysWhatIsWrong) {
  struct Case {
    void (*spoil)(BsrMatrix& pattern);
    const char* says;
  };
  for (const Case& one : {
           Case{[](BsrMatrix& pattern) { pattern.rows = -32; }, "rows is -32; it may be 0 to 16777216"},
           Case{[](BsrMatrix& pattern) { pattern.columns = INT_MAX; }, "columns is 2147483647"},
           Case{[](BsrMatrix& pattern) { pattern.block_rows = 0; }, "block_rows is 0; it may be 1 to"},
           Case{[](BsrMatrix& pattern) { pattern.block_columns = 36; }, "block_columns must divide columns"},
           Case{[](BsrMatrix& pattern) { pattern.rows = 96; }, "row_begin must have rows / block_rows + 1 = 4"},
           Case{[](BsrMatrix& pattern) { pattern.row_begin[0] = 1; }, "begin with 0"},
           Case{[](BsrMatrix& pattern) { pattern.row_begin[1] = 4; }, "and does not at block row 0"},
           Case{[](BsrMatrix& pattern) { pattern.row_begin[2] = INT_MIN; }, "and does not at block row 1"},
           Case{[](BsrMatrix& pattern) { pattern.row_begin[2] = 4; }, "block_column must have 4 entries"},
           Case{[](BsrMatrix& pattern) { pattern.block_column[1] = 0; }, "must ascend"},
           Case{[](BsrMatrix& pattern) { pattern.block_column[2] = 3; }, "stay below 3, and does not at block 2"},
           Case{[](BsrMatrix& pattern) { pattern.block_column[0] = -1; }, "and does not at block 0"},
       }) {
    BsrMatrix pattern = good();
    one.spoil(pattern);
    EXPECT_THAT(pattern_problem(pattern, 8), HasSubstr(one.says));
  }
  EXPECT_THAT(pattern_problem(good(), -1), HasSubstr("n is -1"));
}

TEST(AddressProblem, OperandsBeginWhereWideLoadsMay) {
  alignas(16) const char memory[32] = {};
  EXPECT_EQ(address_problem(memory, memory + 16, memory), "");
  EXPECT_EQ(address_problem(nullptr, memory, memory), "");
  EXPECT_THAT(address_problem(memory + 2, memory, memory), HasSubstr("values must begin at a multiple of 16 bytes"));
  EXPECT_THAT(address_problem(memory, memory + 8, memory), HasSubstr("b must begin"));
  EXPECT_THAT(address_problem(memory, memory, memory + 1), HasSubstr("c must begin"));
}

}  // namespace
}  // namespace kernels::bsr
