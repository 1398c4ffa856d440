// SPDX-License-Identifier: Apache-2.0
// reduce_check [SEED]: both sums on odd sizes and at adversarial scales.
#include <cmath>

#include "kernels/common/device_check.hpp"
#include "kernels/common/host_inputs.hpp"
#include "kernels/reduce/reduce.hpp"

namespace {

using namespace kernels;

constexpr double kBound = 1e-5;  // relative to the sum of magnitudes
constexpr int kMultiprocessors = 4;

CheckCase reduce_case(bool atomic, const char* name, std::size_t count, int scale_bits) {
  const auto input = [=](std::uint64_t seed) { return random_inputs(seed, count, scale_bits); };
  return {.name = std::string("reduce/") + (atomic ? "atomic/" : "two_pass/") + name,
          .shape = "N=" + std::to_string(count),
          .bound = kBound,
          .oracle =
              [=](std::uint64_t seed) {
                Expected expected{{0}, {0}};
                for (const double value : input(seed)) {
                  expected.value[0] += value;
                  expected.magnitude[0] += std::fabs(value);
                }
                return expected;
              },
          .run =
              [=](std::uint64_t seed, float* output) {
                const bench::DeviceMemory in = to_device(input(seed));
                const StreamConfig config = stream_config(count, kMultiprocessors);
                const auto* data = static_cast<const float*>(in.data());
                const bench::DeviceMemory partial(static_cast<std::size_t>(config.blocks) * sizeof(float));
                if (atomic) {
                  bench::check(cudaMemset(output, 0, sizeof *output), "the reset");
                  reduce_atomic(data, count, output, config, nullptr);
                } else {
                  reduce_two_pass(data, count, static_cast<float*>(partial.data()), output, config, nullptr);
                }
                bench::check(cudaDeviceSynchronize(), "the sum");  // `partial` must outlive it
              }};
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<CheckCase> cases;
  for (const bool atomic : {true, false}) {
    cases.push_back(reduce_case(atomic, "one", 1, 0));
    cases.push_back(reduce_case(atomic, "odd", 4099, 0));
    cases.push_back(reduce_case(atomic, "even", 1 << 16, 0));
    cases.push_back(reduce_case(atomic, "large", 1'000'003, 0));
    cases.push_back(reduce_case(atomic, "scales", 54321, 40));
  }
  return check_main(count, arguments, cases);
}
