// SPDX-License-Identifier: Apache-2.0
// bsr_gemm_check [SEED]: the commit's product on shapes that every kernel takes, each with its fixed seed and with a
// fresh one (or SEED). One line of JSON for each case. Exit code 0: all passed; 1: one is wrong, or ended in an error,
// after which nothing more is run; 2: bad argument; 3: no GPU.
#include <cstdio>
#include <random>

#include "kernels/bench/device.hpp"
#include "kernels/bsr_gemm/cuda/product.hpp"
#include "kernels/bsr_gemm/cuda/trial.hpp"
#include "kernels/common/seed.hpp"

namespace {

using namespace kernels;

constexpr Shape shape(const char* name, int m, int n, int k, double density) {
  return {.name = name, .m = m, .n = n, .k = k, .block_rows = 64, .block_columns = 64, .density = density};
}
constexpr Shape empty_rows() {
  Shape made = shape("empty_rows", 512, 304, 256, 0.5);
  made.empty_rows = 0.5;
  return made;
}
// N = 1544 reaches over the widest tile.
constexpr Shape kShapes[] = {shape("square", 256, 256, 256, 0.5), shape("wide", 320, 1544, 512, 0.3),
                             shape("deep", 128, 264, 4096, 0.5), empty_rows()};

// False: the GPU cannot be used any further.
bool report(const Shape& what, std::uint64_t seed, const char* suffix, bool& passed) {
  Outcome outcome;
  try {
    outcome = bsr::Trial(bsr::DataType::fp16, what, seed).judged(bsr::product);
  } catch (const bench::CudaError& error) {
    outcome.error_class = "cuda_error";
    outcome.error_value = error.code;
    outcome.text = error.what();
  }
  outcome.name = std::string("bsr_gemm/") + what.name + suffix;
  std::puts(to_json(outcome).c_str());
  std::fflush(stdout);  // what was found stays readable if the next case crashes
  passed = passed && outcome.passed;
  return outcome.error_class != "cuda_error";
}

}  // namespace

int main(int count, char** arguments) {
  std::random_device entropy;
  std::uint64_t fresh = (static_cast<std::uint64_t>(entropy()) << 32) | entropy();
  if (count > 1) {
    const auto given = parse_seed(arguments[1]);
    if (count > 2 || !given) {
      std::fprintf(stderr, "usage: %s [SEED]\n", arguments[0]);
      return 2;
    }
    fresh = *given;
  }
  if (const std::string reason = bench::no_device_reason(); !reason.empty()) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    return bench::kNoDeviceExit;
  }
  bool passed = true;
  std::uint64_t fixed = 0;
  for (const Shape& what : kShapes) {
    ++fixed;
    if (!report(what, fixed, "", passed) || !report(what, fresh, "/fresh", passed)) return 1;
  }
  return passed ? 0 : 1;
}
