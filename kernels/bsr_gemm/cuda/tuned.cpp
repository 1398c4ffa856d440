// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/cuda/tuned.hpp"

#include <cublasLt.h>
#include <cusparse.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "bsr_build_key.hpp"
#include "kernels/autotune/cuda.hpp"
#include "kernels/bsr_gemm/cuda/cost.hpp"
#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/bsr_gemm/cuda/variants.hpp"

namespace kernels::bsr {
namespace {

constexpr std::string_view kWgmma = "wgmma", kSelf = "tuned", kClear = "clear";

int cusparse_version() {
  int major = 0, minor = 0, patch = 0;
  (void)cusparseGetProperty(MAJOR_VERSION, &major);
  (void)cusparseGetProperty(MINOR_VERSION, &minor);
  (void)cusparseGetProperty(PATCH_LEVEL, &patch);
  return major * 10000 + minor * 100 + patch;
}

autotune::Key problem_key(const Problem& problem) {
  const BsrMatrix& pattern = *problem.pattern;
  return autotune::Key()
      .add("family", "bsr_gemm")
      .add("type", problem.type == DataType::fp16 ? "fp16" : "bf16")
      .add("m", pattern.rows)
      .add("n", problem.n)
      .add("k", pattern.columns)
      .add("block", std::to_string(pattern.block_rows) + "x" + std::to_string(pattern.block_columns))
      .add("density", density_bucket(pattern));
}

std::string name_of(const WgmmaConfig& config) { return std::string(kWgmma) + "/" + to_string(config); }

const CudaVariant* variant_of(std::string_view name) {
  for (const CudaVariant& variant : cuda_variants())
    if (name == variant.name && name != kSelf) return &variant;
  return nullptr;
}

Launch prepared(const Problem& problem, std::string_view configuration) {
  const std::string_view name = configuration.substr(0, configuration.find('/'));
  const CudaVariant* variant = variant_of(name);
  const std::string said(configuration);
  if (variant == nullptr) throw std::runtime_error("there is no configuration " + said);
  if (const char* reason = variant->refusal(*problem.pattern, problem.n))
    throw std::runtime_error(said + " does not take this problem: " + reason);
  if (name == configuration && name != kWgmma) return variant->prepare(problem);
  for (const WgmmaConfig& config : wgmma_candidates(*problem.pattern))
    if (name == kWgmma && configuration == name_of(config)) return prepare_wgmma_as(problem, config);
  throw std::runtime_error("there is no configuration " + said + " for this problem");
}

autotune::Decision measured(autotune::Tuner& tuner, const Problem& problem) {
  const std::vector<autotune::Candidate> candidates = tuner_candidates(*problem.pattern, problem.n);
  std::optional<autotune::CudaTimer> timer;  // only where something is measured
  bench::DeviceMemory c;                     // what is measured writes; the caller's C is for the choice
  return tuner.choose(problem_key(problem), candidates, [&](std::size_t i) {
    if (!timer) {
      timer.emplace();
      c = bench::DeviceMemory(static_cast<std::size_t>(problem.pattern->rows) * problem.n * 2);
    }
    Problem mine = problem;
    mine.c = c.data();
    return timer->ready(prepare_configuration(mine, candidates[i].configuration));
  });
}

}  // namespace

autotune::Tuner make_tuner(autotune::Settings settings) {
  const autotune::Key environment = autotune::device_key()
                                        .add("cublaslt", cublasLtGetVersion())
                                        .add("cusparse", cusparse_version())
                                        .add("build", kBsrBuildKey);
  return {environment, std::move(settings)};
}

std::vector<autotune::Candidate> tuner_candidates(const BsrMatrix& pattern, int n) {
  const int multiprocessors = bench::current_device().multiprocessors;
  std::vector<autotune::Candidate> found;
  for (const CudaVariant& variant : cuda_variants()) {
    if (variant.name == kSelf || variant.refusal(pattern, n) != nullptr) continue;
    if (variant.name != kWgmma) {
      found.push_back({variant.name, predicted_us(variant.name, pattern, n, multiprocessors)});
      continue;
    }
    for (const WgmmaConfig& config : wgmma_candidates(pattern))
      found.push_back({name_of(config), predicted_us(config, pattern, n, multiprocessors)});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& one, const auto& other) { return one.predicted_us < other.predicted_us; });
  return found;
}

Launch prepare_configuration(const Problem& problem, std::string_view configuration) {
  Launch launch = prepared(problem, configuration);
  // What was copied on the default stream must have arrived before any other stream runs the product.
  bench::check(cudaStreamSynchronize(nullptr), "waiting for what was prepared");
  return launch;
}

Tuned prepare_tuned_by(autotune::Tuner& tuner, const Problem& problem, std::string_view pinned) {
  autotune::Decision decision{.problem = problem_key(problem).text(),
                              .configuration = std::string(pinned),
                              .source = autotune::Source::pinned,
                              .rows = {}};
  if (problem.pattern->block_column.empty() || problem.n == 0) {
    decision.configuration = kClear;
    return {clearing(problem), std::move(decision)};
  }
  if (pinned.empty()) decision = measured(tuner, problem);
  Launch launch = prepare_configuration(problem, decision.configuration);
  return {std::move(launch), std::move(decision)};
}

Launch prepare_tuned(const Problem& problem) {
  autotune::Tuner tuner = make_tuner(autotune::settings_from_environment());
  return prepare_tuned_by(tuner, problem).launch;
}

}  // namespace kernels::bsr
