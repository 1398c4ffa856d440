// SPDX-License-Identifier: Apache-2.0
// attention_sweep_check: the tunable kernel at the point it was compiled with, on problems about its tile's edges, both
// types, against double precision. One line of JSON for each case. Exit code 0: all passed; 1: one is wrong; 3: no
// card.
#include <cstdio>

#include "kernels/attention/cuda/trial.hpp"
#include "kernels/attention/sweep/point.hpp"
#include "kernels/bench/device.hpp"

namespace {

using namespace kernels;
using namespace kernels::attention;

constexpr std::uint64_t kSeed = 1;

Configuration point() {
  return {.name = "tunable/" + to_string(kPoint), .refusal = tunable_refusal, .prepare = [](const Problem& problem) {
            return prepare_tunable(problem, point_kernel(problem.type));
          }};
}

bool passes(const Configuration& configuration, DataType type, CheckProblem problem) {
  problem.shape.depth = kPointDepth;
  Outcome outcome;
  try {
    outcome = Trial(type, problem, kSeed).judged(configuration);
  } catch (const std::exception& error) {
    outcome.error_class = "cuda_error";
    outcome.text = error.what();
  }
  outcome.name = "attention/" + configuration.name + "/" + to_string(type) + "/" + to_string(problem.shape);
  std::puts(to_json(outcome).c_str());
  std::fflush(stdout);
  return outcome.passed;
}

}  // namespace

int main() {
  if (const std::string reason = bench::no_device_reason(); !reason.empty()) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    return bench::kNoDeviceExit;
  }
  const CheckProblem problems[] = {
      {.shape = {.queries = 1, .keys = 1}},
      {.shape = {.heads = 2, .key_heads = 1, .queries = kPoint.block_m, .keys = kPoint.block_n}, .rows_first = true},
      {.shape = {.queries = 301, .keys = 301, .causal = true}},
      {.shape = {.queries = 2 * kPoint.block_m + 1, .keys = 3 * kPoint.block_n - 1}},
      {.shape = {.batch = 2, .heads = 2, .key_heads = 2, .queries = 512, .keys = 512, .causal = true}},
      {.shape = {.queries = 100, .keys = 90, .causal = true, .diagonal = -40}, .sharpness = 100}};
  const Configuration configuration = point();
  for (const DataType type : {DataType::fp16, DataType::bf16})
    for (const CheckProblem& problem : problems)
      if (!passes(configuration, type, problem)) return 1;
  return 0;
}
