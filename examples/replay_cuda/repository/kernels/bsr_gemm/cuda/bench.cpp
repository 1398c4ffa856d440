// SPDX-License-Identifier: Apache-2.0
// bsr_gemm_bench: the commit's product at one size, under one name whichever the kernel is.
#include "kernels/bsr_gemm/cuda/product.hpp"
#include "kernels/bsr_gemm/cuda/suite_cases.hpp"

int main(int count, char** arguments) {
  using namespace kernels;
  const bsr::SuiteProblem what{.size = 4096, .block = 64};
  return bench::run_suite(count, arguments, {bsr::suite_case("product", what, bsr::suite_pattern(what), bsr::product)});
}
