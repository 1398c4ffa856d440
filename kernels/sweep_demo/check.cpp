// SPDX-License-Identifier: Apache-2.0
// sweep_demo_check [SEED]: the transpose at the configuration it was compiled with, every element.
#include <algorithm>
#include <bit>

#include "kernels/common/device_check.hpp"
#include "kernels/common/host_inputs.hpp"
#include "kernels/sweep_demo/transpose.hpp"

namespace {

using namespace kernels;

constexpr unsigned short kHalfPoison = 0x7ead;  // a NaN

// Elements that the kernel left unwritten keep the poison of the check.
void widen(const std::vector<__half>& halves, float* output) {
  std::vector<float> floats(halves.size());
  for (std::size_t i = 0; i < halves.size(); ++i)
    floats[i] =
        __half_as_ushort(halves[i]) == kHalfPoison ? std::bit_cast<float>(kPoisonBits) : __half2float(halves[i]);
  bench::check(cudaMemcpy(output, floats.data(), floats.size() * sizeof(float), cudaMemcpyHostToDevice), "widening");
}

// Halves are judged as the floats they stand for; what the kernel left unwritten keeps its poison.
CheckCase transpose_case(const char* name, int tiles) {
  const int rows = 640 * tiles;  // whole tiles of 64, 80 and 128 rows
  const std::size_t count = static_cast<std::size_t>(rows) * kColumns;
  return {.name = std::string("transpose/") + name,
          .shape = "rows=" + std::to_string(rows) + " columns=" + std::to_string(kColumns),
          .bound = 0,
          .oracle =
              [=](std::uint64_t seed) {
                const std::vector<float> in = random_inputs(seed, count);
                Expected expected{std::vector<double>(count), std::vector<double>(count, 1.0)};
                for (int row = 0; row < rows; ++row)
                  for (int column = 0; column < kColumns; ++column)
                    expected.value[static_cast<std::size_t>(column) * rows + row] =
                        in[static_cast<std::size_t>(row) * kColumns + column];
                return expected;
              },
          .run =
              [=](std::uint64_t seed, float* output) {
                const std::vector<float> in = random_inputs(seed, count);
                std::vector<__half> halves(count);
                std::transform(in.begin(), in.end(), halves.begin(), [](float value) { return __float2half(value); });
                const bench::DeviceMemory from = to_device(halves);
                const bench::DeviceMemory to = to_device(std::vector<__half>(count, __ushort_as_half(kHalfPoison)));
                transpose(static_cast<const __half*>(from.data()), static_cast<__half*>(to.data()), rows, nullptr);
                bench::check(cudaGetLastError(), "the launch");
                bench::check(cudaMemcpy(halves.data(), to.data(), to.bytes(), cudaMemcpyDeviceToHost),
                             "reading the output");
                widen(halves, output);
              }};
}

}  // namespace

int main(int count, char** arguments) {
  return check_main(count, arguments, {transpose_case("small", 1), transpose_case("large", 7)});
}
