// SPDX-License-Identifier: Apache-2.0
// softmax_check [SEED]: odd shapes, one column, rows of the greatest length, and inputs whose exponentials overflow.
#include <algorithm>
#include <cmath>

#include "kernels/common/device_check.hpp"
#include "kernels/common/host_inputs.hpp"
#include "kernels/softmax/softmax.hpp"

namespace {

using namespace kernels;

constexpr int kMultiprocessors = 2;
// Relative to a term's own value: the exponent's rounding, 2^-24 of the largest difference, dominates.
constexpr double kBound = 1e-5, kBoundOfLarge = 2e-4;

Expected softmax_of(const std::vector<float>& in, std::size_t rows, int columns) {
  Expected expected{std::vector<double>(in.size()), std::vector<double>(in.size())};
  for (std::size_t row = 0; row < rows; ++row) {
    const float* from = in.data() + row * columns;
    const double largest = *std::max_element(from, from + columns);
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += std::exp(from[i] - largest);
    for (int i = 0; i < columns; ++i) {
      const std::size_t at = row * columns + i;
      expected.value[at] = std::exp(from[i] - largest) / sum;
      expected.magnitude[at] = expected.value[at] + 1e-30;  // below that a float may flush to zero
    }
  }
  return expected;
}

CheckCase softmax_case(const char* name, std::size_t rows, int columns, float factor = 1) {
  const auto input = [=](std::uint64_t seed) {
    std::vector<float> values = random_inputs(seed, rows * columns);
    for (float& value : values) value *= factor;
    return values;
  };
  return {.name = std::string("softmax/") + name,
          .shape = "rows=" + std::to_string(rows) + " columns=" + std::to_string(columns),
          .bound = factor > 1 ? kBoundOfLarge : kBound,
          .oracle = [=](std::uint64_t seed) { return softmax_of(input(seed), rows, columns); },
          .run =
              [=](std::uint64_t seed, float* output) {
                const bench::DeviceMemory in = to_device(input(seed));
                softmax(static_cast<const float*>(in.data()), output, rows, columns,
                        softmax_config(rows, columns, kMultiprocessors), nullptr);
                bench::check(cudaDeviceSynchronize(), "the softmax");
              }};
}

}  // namespace

int main(int count, char** arguments) {
  return check_main(count, arguments,
                    {softmax_case("one_column", 37, 1), softmax_case("odd", 61, 83), softmax_case("even", 128, 512),
                     softmax_case("many_rows", 3001, 129), softmax_case("longest_row", 3, kSoftmaxColumnsMax),
                     softmax_case("overflow", 33, 1000, 1024)});
}
