// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/device_check.hpp"

#include <bit>
#include <cstdio>
#include <random>

#include "kernels/bench/device.hpp"
#include "kernels/common/seed.hpp"

namespace kernels {
namespace {

constexpr std::uint64_t kFixedSeed = 1;

Outcome run_case(const CheckCase& one, std::uint64_t seed) {
  const Expected expected = one.oracle(seed);
  std::vector<float> memory(expected.value.size() + 2 * kFence, std::bit_cast<float>(kPoisonBits));
  const bench::DeviceMemory device = to_device(memory);
  one.run(seed, static_cast<float*>(device.data()) + kFence);
  bench::check(cudaGetLastError(), "the launch");
  bench::check(cudaDeviceSynchronize(), "waiting for the kernel");
  bench::check(cudaMemcpy(memory.data(), device.data(), device.bytes(), cudaMemcpyDeviceToHost), "reading the output");
  return judge(memory, expected, one.bound);
}

// False: the GPU cannot be used any further.
bool report(const CheckCase& one, std::uint64_t seed, bool fresh, bool& passed) {
  Outcome outcome;
  bool usable = true;
  try {
    outcome = run_case(one, seed);
  } catch (const bench::CudaError& error) {
    outcome.bound = one.bound;
    outcome.error_class = "cuda_error";
    outcome.error_value = error.code;
    outcome.text = error.what();
    usable = false;
  }
  outcome.name = one.name + (fresh ? "/fresh" : "");
  outcome.shape = one.shape;
  outcome.seed = seed;
  std::puts(to_json(outcome).c_str());
  std::fflush(stdout);  // what was found stays readable if the next case crashes
  passed = passed && outcome.passed;
  return usable;
}

}  // namespace

int check_main(int count, char** arguments, const std::vector<CheckCase>& cases) {
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
  for (const CheckCase& one : cases)
    for (const bool is_fresh : {false, true})
      if (!report(one, is_fresh ? fresh : kFixedSeed, is_fresh, passed)) return 1;
  return passed ? 0 : 1;
}

}  // namespace kernels
