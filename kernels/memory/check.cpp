// SPDX-License-Identifier: Apache-2.0
// memory_check [SEED]: copy and triad on odd sizes, with more and with less than one block, and at adversarial scales.
#include <cmath>

#include "kernels/common/device_check.hpp"
#include "kernels/common/host_inputs.hpp"
#include "kernels/memory/memory.hpp"

namespace {

using namespace kernels;

constexpr float kScale = -1.25f;
constexpr double kTriadBound = 2.4e-7;  // two roundings of 2^-24, each relative to at most the sum of magnitudes

// A GPU of two multiprocessors: the loops over the grid are taken many times.
StreamConfig small_card(std::size_t count) { return stream_config(count, 2); }

CheckCase copy_case(const char* name, std::size_t count, int scale_bits) {
  const auto input = [=](std::uint64_t seed) { return random_inputs(seed, count, scale_bits); };
  return {.name = std::string("copy/") + name,
          .shape = "N=" + std::to_string(count),
          .bound = 0,
          .oracle =
              [=](std::uint64_t seed) {
                const std::vector<float> in = input(seed);
                return Expected{{in.begin(), in.end()}, std::vector<double>(count, 1.0)};
              },
          .run =
              [=](std::uint64_t seed, float* output) {
                const bench::DeviceMemory in = to_device(input(seed));
                copy(static_cast<const float*>(in.data()), output, count, small_card(count), nullptr);
              }};
}

CheckCase triad_case(const char* name, std::size_t count, int scale_bits) {
  const auto input = [=](std::uint64_t seed) { return random_inputs(seed, count, scale_bits); };
  return {.name = std::string("triad/") + name,
          .shape = "N=" + std::to_string(count),
          .bound = kTriadBound,
          .oracle =
              [=](std::uint64_t seed) {
                const std::vector<float> a = input(seed), b = input(seed + 1);
                Expected expected{std::vector<double>(count), std::vector<double>(count)};
                for (std::size_t i = 0; i < count; ++i) {
                  const double product = static_cast<double>(kScale) * b[i];
                  expected.value[i] = a[i] + product;
                  expected.magnitude[i] = std::fabs(a[i]) + std::fabs(product);
                }
                return expected;
              },
          .run =
              [=](std::uint64_t seed, float* output) {
                const bench::DeviceMemory a = to_device(input(seed)), b = to_device(input(seed + 1));
                triad(static_cast<const float*>(a.data()), static_cast<const float*>(b.data()), kScale, output, count,
                      small_card(count), nullptr);
              }};
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<CheckCase> cases;
  for (const auto make : {copy_case, triad_case}) {
    cases.push_back(make("one", 1, 0));
    cases.push_back(make("odd", 4099, 0));
    cases.push_back(make("even", 1 << 16, 0));
    cases.push_back(make("large", 1'000'003, 0));
    cases.push_back(make("scales", 12345, 60));
  }
  return check_main(count, arguments, cases);
}
