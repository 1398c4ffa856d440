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

// Operands to measure on: the first copy is the caller's values and B, and each has a C of its own, for the caller's is
// for the choice alone.
class Copies {
 public:
  explicit Copies(const Problem& problem) : problem_(problem) {
    const BsrMatrix& pattern = *problem.pattern;
    const std::size_t n = static_cast<std::size_t>(problem.n);
    values_bytes_ = 2 * pattern.block_column.size() * static_cast<std::size_t>(pattern.block_rows) *
                    static_cast<std::size_t>(pattern.block_columns);
    b_bytes_ = 2 * pattern.columns * n;
    c_bytes_ = 2 * pattern.rows * n;
  }

  [[nodiscard]] std::size_t bytes_of_one() const { return values_bytes_ + b_bytes_ + c_bytes_; }

  [[nodiscard]] Problem at(int index) {
    while (std::ssize(made_) <= index) {
      const bool first = made_.empty();
      made_.push_back({first ? bench::DeviceMemory() : copied(problem_.values, values_bytes_),
                       first ? bench::DeviceMemory() : copied(problem_.b, b_bytes_), bench::DeviceMemory(c_bytes_)});
    }
    const Copy& copy = made_[static_cast<std::size_t>(index)];
    Problem mine = problem_;
    mine.c = copy.c.data();
    if (index == 0) return mine;
    mine.values = copy.values.data();
    mine.b = copy.b.data();
    return mine;
  }

 private:
  struct Copy {
    bench::DeviceMemory values, b, c;
  };
  static bench::DeviceMemory copied(const void* from, std::size_t bytes) {
    bench::DeviceMemory memory(bytes);
    bench::check(cudaMemcpy(memory.data(), from, bytes, cudaMemcpyDeviceToDevice), "copying operands to measure on");
    return memory;
  }

  const Problem& problem_;
  std::size_t values_bytes_ = 0, b_bytes_ = 0, c_bytes_ = 0;
  std::vector<Copy> made_;
};

autotune::Decision measured(autotune::Tuner& tuner, const Problem& problem, Places places) {
  const std::vector<autotune::Candidate> candidates = tuner_candidates(*problem.pattern, problem.n);
  std::optional<autotune::CudaTimer> timer;  // only where something is measured
  Copies copies(problem);
  const bench::Rotation rotation =
      places == Places::one ? bench::Rotation{} : autotune::rotation_of(copies.bytes_of_one());
  return tuner.choose(problem_key(problem), candidates, [&](std::size_t i) {
    if (!timer) timer.emplace();
    return timer->ready(rotation, [&copies, &configuration = candidates[i].configuration](int copy) {
      return prepare_configuration(copies.at(copy), configuration);
    });
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

Tuned prepare_tuned_by(autotune::Tuner& tuner, const Problem& problem, std::string_view pinned, Places places) {
  autotune::Decision decision{.problem = problem_key(problem).text(),
                              .configuration = std::string(pinned),
                              .source = autotune::Source::pinned,
                              .rows = {}};
  if (problem.pattern->block_column.empty() || problem.n == 0) {
    decision.configuration = kClear;
    return {clearing(problem), std::move(decision)};
  }
  if (pinned.empty()) decision = measured(tuner, problem, places);
  Launch launch = prepare_configuration(problem, decision.configuration);
  return {std::move(launch), std::move(decision)};
}

Launch prepare_tuned(const Problem& problem) {
  autotune::Tuner tuner = make_tuner(autotune::settings_from_environment());
  return prepare_tuned_by(tuner, problem, {}, Places::one).launch;
}

}  // namespace kernels::bsr
