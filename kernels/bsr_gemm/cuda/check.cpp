// SPDX-License-Identifier: Apache-2.0
// bsr_gemm_cuda_check [SEED] [--variant NAME]: proves every variant on every shape it takes, for both data types, with
// the shape's fixed seed and with a fresh one (or SEED).
// bsr_gemm_cuda_check --fuzz N [--seed S] [--variant NAME]: N random shapes; case i has the seed S + i. The first
// failure is made smaller, printed, and ends the run.
// One line of JSON for each case. Exit code 0: all passed; 1: one is wrong or ended in an error, after which nothing
// more is run; 2: bad argument; 3: no GPU.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>
#include <string_view>

#include "kernels/bench/device.hpp"
#include "kernels/bsr_gemm/cuda/fuzz.hpp"
#include "kernels/bsr_gemm/cuda/trial.hpp"
#include "kernels/bsr_gemm/cuda/variants.hpp"
#include "kernels/common/seed.hpp"

namespace {

using namespace kernels;
using namespace kernels::bsr;

struct CheckShape {
  Shape shape;
  bool cancels = false;
};
// N = 1000 reaches over the widest tile, and so do the panels; 37 and 45 are no multiple of 8. Halves hold scales of
// 2^+-3 beside their bits.
constexpr CheckShape kShapes[] = {
    {{.name = "square64", .m = 256, .n = 256, .k = 256, .block_rows = 64, .block_columns = 64, .density = 0.5}},
    {{.name = "square128", .m = 512, .n = 1000, .k = 640, .block_rows = 128, .block_columns = 128, .density = 0.4}},
    {{.name = "square32", .m = 256, .n = 1000, .k = 320, .block_rows = 32, .block_columns = 32, .density = 0.3}},
    {{.name = "wide64", .m = 320, .n = 1544, .k = 512, .block_rows = 64, .block_columns = 64, .density = 0.3}},
    {{.name = "panels128", .m = 256, .n = 1088, .k = 384, .block_rows = 128, .block_columns = 128, .density = 0.4}},
    {{.name = "panels64", .m = 192, .n = 832, .k = 256, .block_rows = 64, .block_columns = 64, .density = 0.4}},
    {{.name = "panels32", .m = 160, .n = 576, .k = 256, .block_rows = 32, .block_columns = 32, .density = 0.4}},
    {{.name = "b64x32", .m = 256, .n = 520, .k = 256, .block_rows = 64, .block_columns = 32, .density = 0.4}},
    {{.name = "b32x64", .m = 256, .n = 520, .k = 256, .block_rows = 32, .block_columns = 64, .density = 0.4}},
    {{.name = "b128x32", .m = 384, .n = 264, .k = 256, .block_rows = 128, .block_columns = 32, .density = 0.4}},
    {{.name = "b32x128", .m = 128, .n = 264, .k = 384, .block_rows = 32, .block_columns = 128, .density = 0.5}},
    {{.name = "b96x96", .m = 288, .n = 88, .k = 288, .block_rows = 96, .block_columns = 96, .density = 0.5}},
    {{.name = "b256x64", .m = 512, .n = 72, .k = 256, .block_rows = 256, .block_columns = 64, .density = 0.5}},
    {{.name = "b16x16", .m = 96, .n = 96, .k = 96, .block_rows = 16, .block_columns = 16, .density = 0.5}},
    {{.name = "tall", .m = 105, .n = 33, .k = 40, .block_rows = 21, .block_columns = 5, .density = 0.3}},
    {{.name = "single_elements", .m = 19, .n = 23, .k = 31, .block_rows = 1, .block_columns = 1, .density = 0.2}},
    {{.name = "one_column", .m = 128, .n = 1, .k = 128, .block_rows = 64, .block_columns = 64, .density = 0.5}},
    {{.name = "eight_columns", .m = 128, .n = 8, .k = 128, .block_rows = 64, .block_columns = 64, .density = 0.5}},
    {{.name = "dense", .m = 256, .n = 328, .k = 1024, .block_rows = 64, .block_columns = 64, .density = 1}},
    {{.name = "many_blocks", .m = 64, .n = 512, .k = 4096, .block_rows = 32, .block_columns = 32, .density = 0.6}},
    {{.name = "empty_rows",
      .m = 512,
      .n = 304,
      .k = 256,
      .block_rows = 32,
      .block_columns = 64,
      .density = 0.5,
      .empty_rows = 0.5}},
    {{.name = "all_empty", .m = 128, .n = 64, .k = 128, .block_rows = 64, .block_columns = 64, .density = 0}},
    {{.name = "no_columns", .m = 128, .n = 0, .k = 128, .block_rows = 64, .block_columns = 64, .density = 1}},
    {{.name = "no_depth", .m = 128, .n = 40, .k = 0, .block_rows = 64, .block_columns = 64, .density = 1}},
    {{.name = "scales",
      .m = 256,
      .n = 200,
      .k = 320,
      .block_rows = 64,
      .block_columns = 64,
      .density = 0.4,
      .scale_bits = 3}},
    {{.name = "cancels", .m = 256, .n = 200, .k = 512, .block_rows = 64, .block_columns = 64, .density = 0.5}, true},
    {{.name = "cancels32", .m = 256, .n = 200, .k = 512, .block_rows = 32, .block_columns = 32, .density = 0.5}, true},
};
constexpr DataType kTypes[] = {DataType::fp16, DataType::bf16};

struct Options {
  std::uint64_t seed = 0;
  std::uint64_t fuzz = 0;
  const char* variant = nullptr;
};

// A name that is none would prove nothing and pass.
bool is_variant(std::string_view name) {
  const auto& all = cuda_variants();
  return std::any_of(all.begin(), all.end(), [&](const CudaVariant& variant) { return name == variant.name; });
}

std::optional<Options> parse(int count, char** arguments) {
  std::random_device entropy;
  Options options{.seed = (static_cast<std::uint64_t>(entropy()) << 32) | entropy()};
  for (int i = 1; i < count; ++i) {
    const char* argument = arguments[i];
    const bool named = std::strncmp(argument, "--", 2) == 0;
    if (named && ++i == count) return std::nullopt;
    if (std::strcmp(argument, "--variant") == 0) {
      options.variant = arguments[i];
      if (!is_variant(options.variant)) return std::nullopt;
      continue;
    }
    const auto number = parse_seed(arguments[i]);
    if (!number || (named && std::strcmp(argument, "--fuzz") != 0 && std::strcmp(argument, "--seed") != 0))
      return std::nullopt;
    (std::strcmp(argument, "--fuzz") == 0 ? options.fuzz : options.seed) = *number;
  }
  return options;
}

// One way to compute a problem: a variant, and of wgmma each configuration that fits.
struct Candidate {
  std::string name;
  std::function<Launch(const Problem&)> prepare;
};

std::vector<Candidate> candidates(const Options& options, const BsrMatrix& pattern, int n) {
  std::vector<Candidate> found;
  for (const CudaVariant& variant : cuda_variants()) {
    if (options.variant != nullptr && std::strcmp(options.variant, variant.name) != 0) continue;
    if (variant.refusal(pattern, n) != nullptr) continue;
    found.push_back({variant.name, variant.prepare});
    if (variant.prepare != prepare_wgmma) continue;
    for (const WgmmaConfig& config : wgmma_candidates(pattern)) {
      found.push_back({"wgmma-" + to_string(config),
                       [config](const Problem& problem) { return prepare_wgmma_as(problem, config); }});
    }
  }
  return found;
}

struct Run {
  const Options& options;
  bool passed = true;

  // False: the GPU cannot be used any further.
  bool one(const Candidate& candidate, DataType type, const Trial& trial, const std::string& name) {
    Outcome outcome;
    try {
      outcome = trial.judged(candidate.prepare);
    } catch (const std::exception& error) {
      outcome.error_class = "cuda_error";
      outcome.text = error.what();
    }
    outcome.name = "bsr_gemm/" + candidate.name + "/" + to_string(type) + "/" + name;
    std::puts(to_json(outcome).c_str());
    std::fflush(stdout);  // what was found stays readable if the next case crashes
    passed = passed && outcome.passed;
    return outcome.error_class != "cuda_error";
  }
};

bool check_all(Run& run) {
  std::uint64_t fixed = 0;
  for (const CheckShape& what : kShapes) {
    ++fixed;
    for (const bool fresh : {false, true})
      for (const DataType type : kTypes) {
        const Trial trial(type, what.shape, fresh ? run.options.seed : fixed, what.cancels);
        const std::string name = std::string(what.shape.name) + (fresh ? "/fresh" : "");
        for (const Candidate& candidate : candidates(run.options, trial.pattern(), trial.n()))
          if (!run.one(candidate, type, trial, name)) return false;
      }
  }
  return run.passed;
}

bool fuzz(Run& run) {
  for (std::uint64_t i = 0; i < run.options.fuzz; ++i) {
    const std::uint64_t seed = run.options.seed + i;
    const Shape shape = random_shape(seed);
    for (const DataType type : kTypes) {
      const Trial trial(type, shape, seed);
      for (const Candidate& candidate : candidates(run.options, trial.pattern(), trial.n())) {
        if (!run.one(candidate, type, trial, "fuzz")) return false;
        if (run.passed) continue;
        // A smaller shape may have another configuration, but N stays a multiple of 8 for those that need it.
        const Shape small = smallest_failing(shape, [&](const Shape& tried) {
          if (shape.n % 8 == 0 && tried.n % 8 != 0) return false;
          return !Trial(type, tried, seed).judged(candidate.prepare).passed;
        });
        run.one(candidate, type, Trial(type, small, seed), "fuzz/smallest");
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
    std::fprintf(stderr, "usage: %s [SEED] [--fuzz N] [--seed S] [--variant NAME]\nvariants:", arguments[0]);
    for (const CudaVariant& variant : cuda_variants()) std::fprintf(stderr, " %s", variant.name);
    std::fprintf(stderr, "\n");
    return 2;
  }
  if (const std::string reason = bench::no_device_reason(); !reason.empty()) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    return bench::kNoDeviceExit;
  }
  (void)setenv("KG_TUNER_CACHE", "off", 0);  // what is chosen for these shapes is of no use to anybody
  std::fprintf(stderr, "seed %llu\n", static_cast<unsigned long long>(options->seed));
  Run run{*options};
  try {
    return (options->fuzz > 0 ? fuzz(run) : check_all(run)) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
