// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/variants.hpp"

#include <stdexcept>

#include "kernels/attention/cuda/tunable.hpp"
#include "kernels/attention/cuda/wgmma.hpp"
#include "kernels/common/built_for.hpp"

namespace kernels::attention {
namespace {

Configuration wgmma_configuration(Layout layout, std::size_t index) {
  const auto form = [=](DataType type) { return wgmma_forms(type, layout)[index]; };
  return {.name = "wgmma/" + to_string(form(DataType::fp16)),
          .refusal = [=](const Problem& problem) { return form_refusal(problem, form(problem.type)); },
          .prepare = [=](const Problem& problem) { return prepare_wgmma_as(problem, form(problem.type)); }};
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
    for (const Layout layout : {Layout::dense, Layout::packed, Layout::sparse})
      for (std::size_t i = 0; i < wgmma_forms(DataType::fp16, layout).size(); ++i)
        all.push_back(wgmma_configuration(layout, i));
    for (std::size_t i = 0; i < tunable_kernels(DataType::fp16).size(); ++i) all.push_back(tunable_configuration(i));
    return all;
  }();
  return kAll;
}

const Configuration& configuration_for(const Problem& problem, const std::string& name) {
  const char* refusal = nullptr;
  std::string known;
  for (const Configuration& one : configurations()) {
    known.append(" ").append(one.name);
    if (one.name != name) continue;
    refusal = one.refusal(problem);
    if (refusal == nullptr) return one;
  }
  throw std::invalid_argument(refusal != nullptr ? name + ": " + refusal
                                                 : name + " is no configuration; there are" + known);
}

std::string default_configuration(const Problem& problem, int multiprocessors) {
  if (sm_90a_refusal() != nullptr && problem.layout() == Layout::dense) {
    for (const TunableKernel& kernel : tunable_kernels(problem.type))
      if (kernel.depth == problem.shape.depth) return "tunable/" + to_string(kernel.tuning);
  }
  return "wgmma/" + to_string(wgmma_forms(problem.type, problem.layout())[default_form(problem, multiprocessors)]);
}

}  // namespace kernels::attention
