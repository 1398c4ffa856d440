// SPDX-License-Identifier: Apache-2.0
// bsr_gemm_cuda_bench: every variant and its peers, at the sizes and blocks of docs/GPU_FIGURES.md and, in fp16, at
// some odd ones, and every configuration of wgmma that fits: wgmma-ROWSxCOLUMNSxDEPTH. `tuned` and `wgmma` choose; what
// they chose is their configuration.
#include <optional>

#include "kernels/bsr_gemm/cuda/suite_cases.hpp"
#include "kernels/bsr_gemm/cuda/tuned.hpp"
#include "kernels/bsr_gemm/cuda/variants.hpp"

namespace {

using namespace kernels;
using namespace kernels::bsr;

// One tuner for the program: it reads its file once and warns once. Made when a GPU is asked for first.
Choose by_the_tuner() {
  return [tuner = std::make_shared<std::optional<autotune::Tuner>>()](const Problem& problem, const auto& pinned) {
    if (!*tuner) tuner->emplace(make_tuner(autotune::settings_from_environment()));
    Tuned tuned = prepare_tuned_by(**tuner, problem, pinned);
    return Choice{std::move(tuned.launch), std::move(tuned.decision.configuration)};
  };
}

Choice by_the_block(const Problem& problem, const std::string& pinned) {
  const std::string configuration = pinned.empty() ? "wgmma/" + to_string(wgmma_config(*problem.pattern)) : pinned;
  if (!configuration.starts_with("wgmma/")) throw std::runtime_error(configuration + " is no configuration of wgmma");
  return {prepare_configuration(problem, configuration), configuration};
}

std::vector<SuiteProblem> problems() {
  std::vector<SuiteProblem> all;
  for (const DataType type : {DataType::fp16, DataType::bf16})
    for (const int size : {4096, 8192})
      for (const int block : {32, 64, 128}) all.push_back({.type = type, .size = size, .block = block});
  all.push_back({.size = 1024, .block = 64});
  all.push_back({.size = 2048, .block = 64, .n = 8192, .k = 4096});
  all.push_back({.size = 8192, .block = 128, .n = 256});
  all.push_back({.size = 4096, .block = 64, .density = 0.01});
  all.push_back({.size = 4096, .block = 32, .density = 0.5});
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<bench::Case> cases;
  const Choose tuned = by_the_tuner();
  for (const SuiteProblem& what : problems()) {
    const auto pattern = suite_pattern(what);
    for (const CudaVariant& variant : cuda_variants()) {
      if (variant.prepare == prepare_tuned) {
        cases.push_back(suite_case_of_choice(variant.name, what, pattern, tuned));
      } else if (variant.prepare == prepare_wgmma) {
        cases.push_back(suite_case_of_choice(variant.name, what, pattern, by_the_block));
      } else {
        cases.push_back(suite_case(variant.name, what, pattern, variant.prepare));
      }
    }
    for (const WgmmaConfig& config : wgmma_candidates(*pattern))
      cases.push_back(suite_case("wgmma-" + to_string(config), what, pattern,
                                 [config](const Problem& problem) { return prepare_wgmma_as(problem, config); }));
  }
  return bench::run_suite(count, arguments, std::move(cases));
}
