// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/variants.hpp"

#include "kernels/attention/cuda/tunable.hpp"
#include "kernels/attention/cuda/wgmma.hpp"
#include "kernels/common/built_for.hpp"

namespace kernels::attention {
namespace {

Configuration wgmma_configuration(std::size_t index) {
  const WgmmaForm form = wgmma_forms(DataType::fp16)[index];
  return {.name = "wgmma/" + to_string(form),
          .refusal =
              [depth = form.depth](const Problem& problem) {
                if (const char* reason = wgmma_refusal(problem)) return reason;
                return depth == problem.shape.depth ? nullptr : "the form is for another depth";
              },
          .prepare =
              [index](const Problem& problem) { return prepare_wgmma_as(problem, wgmma_forms(problem.type)[index]); }};
}

std::span<const TunableKernel> tunable_kernels(DataType type) {
  return type == DataType::fp16 ? tunable_kernels_fp16() : tunable_kernels_bf16();
}

Configuration tunable_configuration(std::size_t index) {
  const TunableKernel kernel = tunable_kernels(DataType::fp16)[index];
  return {
      .name = "tunable/" + to_string(kernel.tuning),
      .refusal =
          [depth = kernel.depth](const Problem& problem) {
            if (const char* reason = tunable_refusal(problem)) return reason;
            return depth == problem.shape.depth ? nullptr : "the kernel is for another depth";
          },
      .prepare =
          [index](const Problem& problem) { return prepare_tunable(problem, tunable_kernels(problem.type)[index]); }};
}

}  // namespace

const std::vector<Configuration>& configurations() {
  static const std::vector<Configuration> kAll = [] {
    std::vector<Configuration> all;
    for (std::size_t i = 0; i < wgmma_forms(DataType::fp16).size(); ++i) all.push_back(wgmma_configuration(i));
    for (std::size_t i = 0; i < tunable_kernels(DataType::fp16).size(); ++i) all.push_back(tunable_configuration(i));
    return all;
  }();
  return kAll;
}

std::string default_configuration(const Problem& problem, int multiprocessors) {
  if (sm_90a_refusal() != nullptr) {
    for (const TunableKernel& kernel : tunable_kernels(problem.type))
      if (kernel.depth == problem.shape.depth) return "tunable/" + to_string(kernel.tuning);
  }
  const auto forms = wgmma_forms(problem.type);
  return "wgmma/" + to_string(forms[default_form(forms, problem.shape, multiprocessors)]);
}

}  // namespace kernels::attention
