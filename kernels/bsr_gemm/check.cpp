// SPDX-License-Identifier: Apache-2.0
// bsr_gemm_check [SEED]: proves every variant on every shape, once with the shape's fixed seed and once with a fresh
// one (or SEED). One line of JSON per case; exit code 0 if all passed, 1 if one is wrong, 2 for a bad argument.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "kernels/bsr_gemm/verify.hpp"

namespace {

using kernels::Shape;

constexpr Shape kShapes[] = {
    {.name = "square", .m = 96, .n = 96, .k = 96, .block_rows = 16, .block_columns = 16, .density = 0.5},
    {.name = "odd", .m = 67, .n = 45, .k = 83, .block_rows = 16, .block_columns = 16, .density = 0.4},
    {.name = "wide_blocks", .m = 48, .n = 37, .k = 96, .block_rows = 4, .block_columns = 24, .density = 0.5},
    {.name = "tall_blocks", .m = 105, .n = 33, .k = 40, .block_rows = 21, .block_columns = 5, .density = 0.3},
    {.name = "single_elements", .m = 19, .n = 23, .k = 31, .block_rows = 1, .block_columns = 1, .density = 0.2},
    {.name = "one_column", .m = 40, .n = 1, .k = 64, .block_rows = 8, .block_columns = 8, .density = 0.5},
    {.name = "dense", .m = 32, .n = 150, .k = 128, .block_rows = 32, .block_columns = 32, .density = 1},
    {.name = "empty_rows",
     .m = 96,
     .n = 40,
     .k = 64,
     .block_rows = 8,
     .block_columns = 16,
     .density = 0.5,
     .empty_rows = 0.5},
    {.name = "all_empty", .m = 32, .n = 24, .k = 32, .block_rows = 8, .block_columns = 8, .density = 0},
    {.name = "scales",
     .m = 64,
     .n = 48,
     .k = 80,
     .block_rows = 16,
     .block_columns = 8,
     .density = 0.4,
     .scale_bits = 30},
};

}  // namespace

int main(int count, char** arguments) {
  std::random_device device;
  std::uint64_t fresh = (static_cast<std::uint64_t>(device()) << 32) | device();
  if (count > 1) {
    char* end = nullptr;
    fresh = std::strtoull(arguments[1], &end, 0);
    if (count > 2 || *arguments[1] == '\0' || *end != '\0') {
      std::fprintf(stderr, "usage: %s [SEED]\n", arguments[0]);
      return 2;
    }
  }
  bool passed = true;
  for (const kernels::Variant& variant : kernels::variants()) {
    std::uint64_t fixed = 1;
    for (const Shape& shape : kShapes) {
      for (const bool is_fresh : {false, true}) {
        kernels::Outcome outcome = kernels::verify(variant, shape, is_fresh ? fresh : fixed);
        if (is_fresh) outcome.name += "/fresh";
        std::puts(kernels::to_json(outcome).c_str());
        std::fflush(stdout);  // what was found stays readable if the next case crashes
        passed = passed && outcome.passed;
      }
      ++fixed;
    }
  }
  return passed ? 0 : 1;
}
