// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/cuda_error.hpp"

#include <gmock/gmock.h>

namespace kernelgate::gpu {
namespace cuda_error_test {

using testing::HasSubstr;
using testing::StartsWith;

std::string explain(Verdict verdict, const std::string& text, int signal = 0) {
  CaseFailure failure;
  failure.verdict = verdict;
  failure.text = text;
  failure.signal = signal;
  return explain_failure(failure);
}

TEST(CudaError, EachKindHasItsOwnWords) {
  struct Case {
    const char* said;
    const char* kind;
    int code;
    bool sticky;
  };
  for (const Case& c : {Case{"an illegal memory access was encountered", "illegal address", 700, true},
                        Case{"misaligned address", "misaligned address", 716, true},
                        Case{"unspecified launch failure", "launch failure", 719, true},
                        Case{"device-side assert triggered", "device assert", 710, true},
                        Case{"out of memory", "out of memory", 2, false},
                        Case{"too many resources requested for launch", "too many resources for a launch", 701, false},
                        Case{"invalid configuration argument", "bad launch configuration", 9, false},
                        Case{"cudaErrorIllegalInstruction", "illegal instruction", 715, true}}) {
    const auto found = find_cuda_error("CUDA error in gemm.cu:12: " + std::string(c.said));
    ASSERT_TRUE(found) << c.said;
    EXPECT_EQ(found->kind, c.kind);
    EXPECT_EQ(found->code, c.code);
    EXPECT_EQ(found->sticky, c.sticky) << c.said;
  }
  EXPECT_FALSE(find_cuda_error("the answer is 700"));
}

TEST(CudaError, AProgramSaysThatThereIsNoGpu) {
  EXPECT_TRUE(
      says_no_gpu("no CUDA device can be used: cudaErrorInsufficientDriver (35): CUDA driver version is "
                  "insufficient for CUDA runtime version"));
  EXPECT_TRUE(says_no_gpu("x.cu:3: no CUDA-capable device is detected"));
  EXPECT_FALSE(says_no_gpu("x.cu:3: misaligned address"));
  EXPECT_FALSE(says_no_gpu("misaligned address, then cudaErrorNoDevice"));
  EXPECT_FALSE(says_no_gpu(""));
}

TEST(CudaError, OfSeveralTheFirstCounts) {
  EXPECT_EQ(find_cuda_error("misaligned address | unspecified launch failure")->code, 716);
  EXPECT_EQ(find_cuda_error("unspecified launch failure | misaligned address")->code, 719);
}

TEST(CudaError, EachEndIsExplained) {
  EXPECT_EQ(explain(Verdict::crashed, "x.cu:3: misaligned address"),
            "misaligned address (CUDA error 716; nothing more could run in that process): x.cu:3: misaligned address");
  EXPECT_THAT(explain(Verdict::crashed, "cudaMalloc: out of memory"), StartsWith("out of memory (CUDA error 2): "));
  EXPECT_THAT(explain(Verdict::crashed, "signal 11 (Segmentation fault)", 11), StartsWith("crash of the host program"));
  EXPECT_THAT(explain(Verdict::timed_out, "timed out after 5 s"), HasSubstr("process group was killed"));
  EXPECT_EQ(explain(Verdict::broken, "out of memory of the oracle"), "out of memory of the oracle");
  EXPECT_EQ(explain(Verdict::crashed, "exit code 3"), "exit code 3");
}

}  // namespace cuda_error_test
}  // namespace kernelgate::gpu
