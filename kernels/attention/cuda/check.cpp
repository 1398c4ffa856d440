// SPDX-License-Identifier: Apache-2.0
// attention_check [SEED] [--configuration NAME]: every configuration on every problem it takes, for both types, with
// the problem's fixed seed and with a fresh one (or SEED), against double precision.
// attention_check --fuzz N [--seed S] [--configuration NAME]: N random problems; case i has the seed S + i. The first
// failure is made smaller, printed, and ends the run.
// One line of JSON for each case. Exit code 0: all passed; 1: one is wrong or ended in an error, after which nothing
// more is run; 2: bad argument; 3: no GPU.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <string_view>

#include "kernels/attention/cuda/trial.hpp"
#include "kernels/bench/device.hpp"
#include "kernels/common/seed.hpp"

namespace {

using namespace kernels;
using namespace kernels::attention;

struct Named {
  const char* name;
  CheckProblem problem;
};

constexpr int kDepths[] = {64, 128, 256};
constexpr DataType kTypes[] = {DataType::fp16, DataType::bf16};
// The depth is each of kDepths. Sizes about the edges of tiles of 64 to 256; scales that make one key take all.
const Named kProblems[] = {
    {"one_key", {.shape = {.queries = 1, .keys = 1}}},
    {"one_key_causal", {.shape = {.queries = 1, .keys = 1, .causal = true}}},
    {"one_query", {.shape = {.heads = 3, .key_heads = 3, .queries = 1, .keys = 700}}},
    {"one_tile", {.shape = {.queries = 128, .keys = 128}}},
    {"full", {.shape = {.batch = 2, .heads = 3, .key_heads = 3, .queries = 256, .keys = 256}}},
    {"causal", {.shape = {.batch = 2, .heads = 3, .key_heads = 3, .queries = 512, .keys = 512, .causal = true}}},
    {"tails", {.shape = {.heads = 2, .key_heads = 2, .queries = 301, .keys = 301}, .rows_first = true}},
    {"causal_tails",
     {.shape = {.heads = 2, .key_heads = 2, .queries = 301, .keys = 301, .causal = true}, .rows_first = true}},
    {"more_keys", {.shape = {.queries = 100, .keys = 400, .causal = true, .diagonal = 300}}},
    {"more_queries", {.shape = {.queries = 400, .keys = 100, .causal = true}}},
    {"rows_that_see_nothing", {.shape = {.queries = 400, .keys = 300, .causal = true, .diagonal = -150}}},
    {"nothing_is_seen", {.shape = {.queries = 70, .keys = 70, .causal = true, .diagonal = -70}}},
    {"no_keys", {.shape = {.queries = 70, .keys = 0}}},
    {"grouped", {.shape = {.batch = 2, .heads = 8, .key_heads = 2, .queries = 130, .keys = 130}, .rows_first = true}},
    {"large_logits", {.shape = {.heads = 2, .key_heads = 2, .queries = 256, .keys = 256}, .sharpness = 100}},
    {"large_logits_causal",
     {.shape = {.heads = 2, .key_heads = 2, .queries = 257, .keys = 257, .causal = true}, .sharpness = 100}},
    {"equal_weights", {.shape = {.queries = 65, .keys = 600}, .sharpness = 1e-4F}},
    {"many_tiles", {.shape = {.batch = 5, .heads = 40, .key_heads = 40, .queries = 140, .keys = 70, .causal = true}}},
};

const Shape kTwo{.heads = 2, .key_heads = 2}, kTwoCausal{.heads = 2, .key_heads = 2, .causal = true};
const Shape kGrouped{.heads = 4, .key_heads = 2, .causal = true};
// Where sequences end among tiles; sequences without queries, without keys, and of one row; more than are ordered at
// once.
const Named kPacked[] = {
    {"packed/one", {.shape = kTwo, .sequences = {{300, 300}}}},
    {"packed/whole_tiles", {.shape = kTwoCausal, .sequences = {{256, 256}, {128, 128}, {384, 384}}}},
    {"packed/tails",
     {.shape = kTwo, .rows_first = true, .sequences = {{1, 1}, {130, 130}, {63, 63}, {257, 257}, {7, 7}}}},
    {"packed/tails_causal",
     {.shape = kGrouped, .rows_first = true, .sequences = {{1, 1}, {130, 130}, {63, 63}, {257, 257}, {7, 7}}}},
    {"packed/more_keys", {.shape = kTwoCausal, .sequences = {{1, 500}, {3, 200}, {100, 301}}}},
    {"packed/more_queries", {.shape = kTwoCausal, .sequences = {{300, 100}, {129, 1}, {64, 300}}}},
    {"packed/gaps",
     {.shape = kTwo,
      .rows_first = true,
      .sequences = {{0, 70}, {130, 130}, {0, 0}, {0, 40}, {65, 0}, {50, 90}, {0, 200}}}},
    {"packed/gaps_causal",
     {.shape = kTwoCausal, .sequences = {{0, 70}, {130, 130}, {0, 0}, {0, 40}, {65, 0}, {50, 90}}}},
    {"packed/no_keys", {.shape = kTwo, .sequences = {{20, 0}, {30, 0}}}},
    {"packed/many", {.shape = kTwoCausal, .rows_first = true, .sequences = std::vector<SequenceLength>(1500, {3, 2})}},
    {"packed/large_logits", {.shape = kTwoCausal, .sharpness = 100, .sequences = {{257, 257}, {100, 100}}}},
};
const Shape kSquare{.batch = 2, .heads = 2, .key_heads = 2, .queries = 512, .keys = 512};
const Shape kSquareCausal{.batch = 2, .heads = 2, .key_heads = 2, .queries = 512, .keys = 512, .causal = true};
const Shape kOdd{.batch = 2, .heads = 4, .key_heads = 2, .queries = 301, .keys = 453};
// Patterns with blocks of one tile and of several, blocks cut short, and rows that see no block or no key.
const Named kSparse[] = {
    {"sparse/all", {.shape = kSquare, .pattern = PatternKind{.density = 1}}},
    {"sparse/none", {.shape = kSquare, .pattern = PatternKind{.density = 0}}},
    {"sparse/half", {.shape = kSquare, .rows_first = true, .pattern = PatternKind{.density = 0.5}}},
    {"sparse/empty_rows",
     {.shape = kSquare, .pattern = PatternKind{.density = 0.5, .empty_rows = 0.5, .per_head = true}}},
    {"sparse/causal",
     {.shape = kSquareCausal, .pattern = PatternKind{.density = 0.5, .per_head = true, .per_batch = true}}},
    {"sparse/causal_diagonal", {.shape = kSquareCausal, .pattern = PatternKind{.density = 0.2, .diagonal = true}}},
    {"sparse/blocks_of_64",
     {.shape = kSquareCausal, .pattern = PatternKind{.columns = 64, .density = 0.5, .per_batch = true}}},
    {"sparse/blocks_of_256",
     {.shape = kSquareCausal, .pattern = PatternKind{.rows = 256, .columns = 256, .density = 0.5}}},
    {"sparse/blocks_of_192", {.shape = kOdd, .pattern = PatternKind{.columns = 192, .density = 0.5, .per_head = true}}},
    {"sparse/tails", {.shape = kOdd, .rows_first = true, .pattern = PatternKind{.density = 0.5, .per_head = true}}},
    {"sparse/large_logits", {.shape = kSquare, .sharpness = 100, .pattern = PatternKind{.density = 0.5}}},
};

struct Options {
  std::uint64_t seed = 0, fuzz = 0;
  const char* configuration = nullptr;
};

// A name that is none would prove nothing and pass.
bool is_configuration(std::string_view name) {
  const auto& all = configurations();
  return std::any_of(all.begin(), all.end(), [&](const Configuration& one) { return one.name == name; });
}

std::optional<Options> parse(int count, char** arguments) {
  std::random_device entropy;
  Options options{.seed = (static_cast<std::uint64_t>(entropy()) << 32) | entropy()};
  for (int i = 1; i < count; ++i) {
    const char* argument = arguments[i];
    const bool named = std::strncmp(argument, "--", 2) == 0;
    if (named && ++i == count) return std::nullopt;
    if (std::strcmp(argument, "--configuration") == 0) {
      options.configuration = arguments[i];
      if (!is_configuration(options.configuration)) return std::nullopt;
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

  // False: the GPU cannot be used any further.
  bool one(const Configuration& configuration, const Trial& trial, const std::string& name) {
    Outcome outcome;
    try {
      outcome = trial.judged(configuration);
    } catch (const std::exception& error) {
      outcome.error_class = "cuda_error";
      outcome.text = error.what();
    }
    outcome.name = "attention/" + configuration.name + "/" + to_string(trial.problem().type) + "/" + name;
    std::puts(to_json(outcome).c_str());
    std::fflush(stdout);  // what was found stays readable if the next case crashes
    passed = passed && outcome.passed;
    return outcome.error_class != "cuda_error";
  }
  [[nodiscard]] bool takes(const Configuration& configuration, const Trial& trial) const {
    Problem problem = trial.problem();
    if (options.configuration != nullptr && configuration.name != options.configuration) return false;
    return configuration.refusal(problem) == nullptr;
  }
};

bool check_all(Run& run, std::span<const Named> problems) {
  std::uint64_t fixed = 0;
  for (const Named& named : problems) {
    ++fixed;
    for (const int depth : kDepths)
      for (const bool fresh : {false, true})
        for (const DataType type : kTypes) {
          CheckProblem problem = named.problem.packed();
          problem.shape.depth = depth;
          const Trial trial(type, problem, fresh ? run.options.seed : fixed);
          for (const Configuration& configuration : configurations())
            if (run.takes(configuration, trial) &&
                !run.one(configuration, trial, std::string(named.name) + (fresh ? "/fresh" : "")))
              return false;
        }
  }
  return run.passed;
}

bool fuzz(Run& run) {
  for (std::uint64_t i = 0; i < run.options.fuzz; ++i) {
    const std::uint64_t seed = run.options.seed + i;
    const CheckProblem problem = random_problem(seed);
    for (const DataType type : kTypes) {
      const Trial trial(type, problem, seed);
      for (const Configuration& configuration : configurations()) {
        if (!run.takes(configuration, trial)) continue;
        if (!run.one(configuration, trial, "fuzz")) return false;
        if (run.passed) continue;
        const CheckProblem small = smallest_failing(
            problem, [&](const CheckProblem& tried) { return !Trial(type, tried, seed).judged(configuration).passed; });
        run.one(configuration, Trial(type, small, seed), "fuzz/smallest");
        return false;
      }
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
    for (const Configuration& one : configurations()) std::fprintf(stderr, " %s", one.name.c_str());
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
    if (options->fuzz > 0) return fuzz(run) ? 0 : 1;
    for (const std::span<const Named> problems : {std::span<const Named>(kProblems), {kPacked}, {kSparse}})
      if (!check_all(run, problems)) return 1;
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
