// SPDX-License-Identifier: Apache-2.0
// scaled_gemm_check [SEED] [--configuration NAME]: every configuration on every problem it takes, with the problem's
// fixed seed and with a fresh one (or SEED), against double precision.
// scaled_gemm_check --fuzz N [--seed S] [--configuration NAME]: N random problems; case i has the seed S + i. The first
// failure is made smaller, printed, and ends the run.
// One line of JSON for each case. Exit code 0: all passed; 1: one is wrong or ended in an error, after which nothing
// more is run; 2: bad argument; 3: no GPU.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <random>

#include "kernels/bench/device.hpp"
#include "kernels/common/seed.hpp"
#include "kernels/scaled_gemm/cuda/configurations.hpp"
#include "kernels/scaled_gemm/cuda/norm_trial.hpp"
#include "kernels/scaled_gemm/cuda/trial.hpp"

namespace {

using namespace kernels;
using namespace kernels::scaled;

struct Named {
  const char* name;
  CheckProblem problem;
};

constexpr auto kContiguous = Grouping::contiguous, kMasked = Grouping::masked;
// Sizes about the edges of tiles and of blocks of scales; more tiles than blocks run at once; every kind of content.
const Named kProblems[] = {
    {"one_row", {.shape = {.m = 1, .n = 16, .k = 16}}},
    {"one_block", {.shape = {.m = 128, .n = 128, .k = 128}}},
    {"one_tile", {.shape = {.m = 256, .n = 256, .k = 512}}},
    {"few_rows", {.shape = {.m = 33, .n = 896, .k = 1024}}},
    {"tails", {.shape = {.m = 301, .n = 208, .k = 336}}},
    {"tails_bytes", {.shape = {.m = 130, .n = 400, .k = 400}, .content = Content::bytes}},
    {"deep", {.shape = {.m = 65, .n = 48, .k = 6000}, .content = Content::bytes}},
    {"batched", {.shape = {.m = 100, .n = 144, .k = 272, .matrices = 3}}},
    {"many_tiles", {.shape = {.m = 2100, .n = 2080, .k = 16}, .content = Content::bytes}},
    {"zeros", {.shape = {.m = 200, .n = 272, .k = 512}, .content = Content::zeros}},
    {"extreme", {.shape = {.m = 129, .n = 144, .k = 384}, .content = Content::extreme}},
    {"nan", {.shape = {.m = 129, .n = 160, .k = 384}, .content = Content::nan}},
    {"contiguous", {.shape = {.n = 272, .k = 400, .grouping = kContiguous}, .rows = {128, 0, 300, 1}}},
    {"contiguous_256",
     {.shape = {.n = 256, .k = 256, .grouping = kContiguous, .alignment = 256}, .rows = {256, 512, 100}}},
    {"contiguous_none", {.shape = {.n = 16, .k = 16, .grouping = kContiguous}, .rows = {0, 0}}},
    {"masked", {.shape = {.m = 300, .n = 272, .k = 272, .grouping = kMasked}, .rows = {300, 0, 1, 130}}},
    {"masked_none", {.shape = {.m = 64, .n = 64, .k = 64, .grouping = kMasked}, .rows = {0, 0, 0}}},
    {"masked_few", {.shape = {.m = 64, .n = 512, .k = 512, .grouping = kMasked}, .rows = {3, 64, 0, 17, 1}}},
};

struct Options {
  std::uint64_t seed = 0, fuzz = 0;
  std::string configuration = {};
};

std::optional<Options> parse(int count, char** arguments) {
  std::random_device entropy;
  Options options{.seed = (static_cast<std::uint64_t>(entropy()) << 32) | entropy()};
  for (int i = 1; i < count; ++i) {
    const char* argument = arguments[i];
    const bool named = std::strncmp(argument, "--", 2) == 0;
    if (named && ++i == count) return std::nullopt;
    if (std::strcmp(argument, "--configuration") == 0) {
      options.configuration = arguments[i];
      if (!refusal(Shape{}, options.configuration).empty()) return std::nullopt;  // would check nothing and pass
      continue;
    }
    const auto number = parse_seed(arguments[i]);
    if (!number || (named && std::strcmp(argument, "--fuzz") != 0 && std::strcmp(argument, "--seed") != 0))
      return std::nullopt;
    (std::strcmp(argument, "--fuzz") == 0 ? options.fuzz : options.seed) = *number;
  }
  return options;
}

struct Run {
  const Options& options;
  bool passed = true;
  double product_error = 0;

  // False: the GPU cannot be used any further.
  bool one(const std::string& configuration, const Trial& trial, const std::string& name) {
    Outcome outcome;
    try {
      outcome = trial.judged(configuration);
    } catch (const std::exception& error) {
      outcome.error_class = "cuda_error";
      outcome.text = error.what();
    }
    outcome.name = "scaled_gemm/" + configuration + "/" + name;
    std::puts(to_json(outcome).c_str());
    std::fflush(stdout);  // what was found stays readable if the next case crashes
    passed = passed && outcome.passed;
    product_error = std::max(product_error, trial.product_error());
    return outcome.error_class != "cuda_error";
  }
  [[nodiscard]] std::vector<std::string> configurations(const Shape& shape) const {
    if (options.configuration.empty()) return configurations_for(shape);
    if (!refusal(shape, options.configuration).empty()) return {};
    return {options.configuration};
  }
};

// Rows of every number of vectors a thread, and of part of a block; blocks of rows that are not full.
bool check_norms(Run& run) {
  for (const int columns : {16, 128, 144, 2048, 2064, 4096, 7168, 16384})
    for (const int rows : {1, 8, 37})
      for (const Content content : {Content::plain, Content::zeros, Content::extreme}) {
        const Outcome outcome = judged_norm(rows, columns, content, run.options.seed);
        std::puts(to_json(outcome).c_str());
        run.passed = run.passed && outcome.passed;
      }
  return run.passed;
}

bool check_all(Run& run) {
  std::uint64_t fixed = 0;
  for (const Named& named : kProblems) {
    ++fixed;
    for (const bool fresh : {false, true}) {
      const Trial trial(named.problem.completed(), fresh ? run.options.seed : fixed);
      for (const std::string& configuration : run.configurations(trial.shape()))
        if (!run.one(configuration, trial, std::string(named.name) + (fresh ? "/fresh" : ""))) return false;
    }
  }
  return run.passed && (!run.options.configuration.empty() || check_norms(run));
}

bool fuzz(Run& run) {
  for (std::uint64_t i = 0; i < run.options.fuzz; ++i) {
    const std::uint64_t seed = run.options.seed + i;
    const CheckProblem problem = random_problem(seed);
    const Trial trial(problem, seed);
    for (const std::string& configuration : run.configurations(trial.shape())) {
      if (!run.one(configuration, trial, "fuzz")) return false;
      if (run.passed) continue;
      const CheckProblem small = smallest_failing(problem, [&](const CheckProblem& tried) {
        return refusal(tried.shape, configuration).empty() && !Trial(tried, seed).judged(configuration).passed;
      });
      run.one(configuration, Trial(small, seed), "fuzz/smallest");
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  const auto options = parse(count, arguments);
  if (!options) {
    std::fprintf(stderr,
                 "usage: %s [SEED] [--fuzz N] [--seed S] [--configuration NAME]\nconfigurations:", arguments[0]);
    for (const std::string& one : all_configurations()) std::fprintf(stderr, " %s", one.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  if (const std::string reason = bench::no_device_reason(); !reason.empty()) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    return bench::kNoDeviceExit;
  }
  std::fprintf(stderr, "seed %llu\n", static_cast<unsigned long long>(options->seed));
  Run run{*options};
  try {
    const bool passed = options->fuzz > 0 ? fuzz(run) : check_all(run);
    std::fprintf(stderr, "largest error of the sums of products: %.3g of their magnitude (bound %.3g)\n",
                 run.product_error, kProductError);
    return passed ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
