// SPDX-License-Identifier: Apache-2.0
// bsr_gemm_cuda_bench: every variant and its peers, at the sizes and blocks of docs/GPU_FIGURES.md, and every
// configuration of wgmma that fits: wgmma-ROWSxCOLUMNSxDEPTH.
#include "kernels/bsr_gemm/cuda/suite_cases.hpp"
#include "kernels/bsr_gemm/cuda/variants.hpp"

int main(int count, char** arguments) {
  using namespace kernels;
  std::vector<bench::Case> cases;
  for (const bsr::DataType type : {bsr::DataType::fp16, bsr::DataType::bf16})
    for (const int size : {4096, 8192})
      for (const int block : {32, 64, 128}) {
        const bsr::SuiteProblem what{.type = type, .size = size, .block = block};
        const auto pattern = bsr::suite_pattern(what);
        for (const bsr::CudaVariant& variant : bsr::cuda_variants())
          cases.push_back(bsr::suite_case(variant.name, what, pattern, variant.prepare));
        for (const bsr::WgmmaConfig& config : bsr::wgmma_candidates(*pattern))
          cases.push_back(bsr::suite_case("wgmma-" + to_string(config), what, pattern, [config](const auto& problem) {
            return bsr::prepare_wgmma_as(problem, config);
          }));
      }
  return bench::run_suite(count, arguments, std::move(cases));
}
