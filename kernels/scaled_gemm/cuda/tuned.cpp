// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/cuda/tuned.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/autotune/cuda.hpp"
#include "kernels/scaled_gemm/cost.hpp"
#include "kernels/scaled_gemm/cuda/kernels.hpp"
#include "scaled_gemm_build_key.hpp"

namespace kernels::scaled {
namespace {

constexpr int kSections[] = {4, 8, 16};  // rows of tiles
constexpr int kNarrowRowsMax = 256;      // more rows read B too often

autotune::Key problem_key(const Problem& problem) {
  const Shape& shape = problem.shape;
  return autotune::Key()
      .add("family", "scaled_gemm")
      .add("m", shape.m)
      .add("n", shape.n)
      .add("k", shape.k)
      .add("matrices", shape.matrices)
      .add("grouping", to_string(shape.grouping))
      .add("alignment", shape.grouping == Grouping::contiguous ? shape.alignment : 0)
      .add("b_is_ready", problem.b_is_ready ? 1 : 0);
}

}  // namespace

autotune::Tuner make_tuner(autotune::Settings settings) {
  return {autotune::device_key().add("build", kScaledGemmBuildKey), std::move(settings)};
}

std::vector<autotune::Candidate> tuner_candidates(const Shape& shape, int multiprocessors) {
  std::vector<autotune::Candidate> found;
  const auto add = [&](const std::string& name, double us) {
    if (refusal(shape, name).empty()) found.push_back({name, us});
  };
  for (const WideForm& form : wide_forms()) {
    if (form.asked_stages != 0 || !form.turns) continue;  // for comparison alone
    const double us = predicted_us(shape, WideTile{form.rows, form.columns, form.cluster}, multiprocessors);
    for (const int section : kSections) add(name_of(form).append("/").append(std::to_string(section)), us);
  }
  for (const NarrowForm& form : narrow_forms())
    if (shape.m <= kNarrowRowsMax)
      add(name_of(form), predicted_us(shape, NarrowTile{form.rows, form.columns, form.parts}, multiprocessors));
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& one, const auto& other) { return one.predicted_us < other.predicted_us; });
  return found;
}

Tuned prepare_tuned_by(autotune::Tuner& tuner, const Problem& problem, std::string_view pinned) {
  autotune::Decision decision{.problem = problem_key(problem).text(),
                              .configuration = std::string(pinned),
                              .source = autotune::Source::pinned,
                              .rows = {}};
  if (pinned.empty()) {
    const int multiprocessors = bench::current_device().multiprocessors;
    const std::vector<autotune::Candidate> candidates = tuner_candidates(problem.shape, multiprocessors);
    std::optional<autotune::CudaTimer> timer;  // only where something is measured
    std::optional<bench::DeviceMemory> output;
    decision = tuner.choose(problem_key(problem), candidates, [&](std::size_t i) {
      if (!timer) timer.emplace();
      if (!output) output.emplace(2 * problem.shape.c_count());
      return timer->ready(bench::Rotation{}, [&, i](int) {
        Problem mine = problem;
        mine.c = output->data();
        return prepare(mine, candidates[i].configuration);
      });
    });
  }
  return {prepare(problem, decision.configuration), std::move(decision)};
}

}  // namespace kernels::scaled
