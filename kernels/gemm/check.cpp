// SPDX-License-Identifier: Apache-2.0
// gemm_check [SEED]: both products with both tiles, on odd sizes, thin matrices and adversarial scales.
#include <cmath>

#include "kernels/common/device_check.hpp"
#include "kernels/common/host_inputs.hpp"
#include "kernels/gemm/gemm.hpp"

namespace {

using namespace kernels;

constexpr double kBound = 1e-5;  // relative to the sum of magnitudes; both sum some hundred terms in fp32

struct Size {
  const char* name;
  int m, n, k;
  int scale_bits;
};
// Halves hold the scales of 2^+-3 beside their 11 bits, and products still fit.
constexpr Size kSizes[] = {{"one", 1, 1, 1, 0},        {"square", 128, 128, 128, 0}, {"odd", 131, 67, 83, 0},
                           {"thin", 5, 300, 40, 0},    {"tall", 300, 3, 200, 0},     {"deep", 64, 72, 1000, 0},
                           {"even", 256, 192, 320, 0}, {"scales", 100, 96, 104, 3}};

Expected product(const std::vector<float>& a, const std::vector<float>& b, const Size& size) {
  const std::size_t count = static_cast<std::size_t>(size.m) * size.n;
  Expected expected{std::vector<double>(count), std::vector<double>(count)};
  for (int i = 0; i < size.m; ++i)
    for (int k = 0; k < size.k; ++k) {
      const double left = a[static_cast<std::size_t>(i) * size.k + k];
      for (int j = 0; j < size.n; ++j) {
        const double term = left * b[static_cast<std::size_t>(k) * size.n + j];
        expected.value[static_cast<std::size_t>(i) * size.n + j] += term;
        expected.magnitude[static_cast<std::size_t>(i) * size.n + j] += std::fabs(term);
      }
    }
  return expected;
}

std::vector<__half> halves(const std::vector<float>& values) {
  std::vector<__half> out(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = __float2half(values[i]);
  return out;
}

void multiply(bool half, const std::vector<float>& a, const std::vector<float>& b, float* c, const Size& size,
              GemmConfig config) {
  const bench::DeviceMemory left = half ? to_device(halves(a)) : to_device(a);
  const bench::DeviceMemory right = half ? to_device(halves(b)) : to_device(b);
  if (half) {
    hgemm(static_cast<const __half*>(left.data()), static_cast<const __half*>(right.data()), c, size.m, size.n, size.k,
          config, nullptr);
  } else {
    sgemm(static_cast<const float*>(left.data()), static_cast<const float*>(right.data()), c, size.m, size.n, size.k,
          config, nullptr);
  }
  bench::check(cudaGetLastError(), "the launch");
  bench::check(cudaDeviceSynchronize(), "the product");
}

CheckCase gemm_case(bool half, int tile, const Size& size) {
  const auto left = [=](std::uint64_t seed) {
    return random_inputs(seed, static_cast<std::size_t>(size.m) * size.k, size.scale_bits);
  };
  const auto right = [=](std::uint64_t seed) {
    return random_inputs(seed + 1, static_cast<std::size_t>(size.k) * size.n, size.scale_bits);
  };
  return {.name = std::string("gemm/") + (half ? "fp16" : "fp32") + "/tile:" + std::to_string(tile) + "/" + size.name,
          .shape = "M=" + std::to_string(size.m) + " N=" + std::to_string(size.n) + " K=" + std::to_string(size.k),
          .bound = kBound,
          .oracle = [=](std::uint64_t seed) { return product(left(seed), right(seed), size); },
          .run =
              [=](std::uint64_t seed, float* output) {
                const GemmConfig config{tile, gemm_blocks(size.m, tile), gemm_blocks(size.n, tile)};
                multiply(half, left(seed), right(seed), output, size, config);
              }};
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<CheckCase> cases;
  for (const bool half : {true, false})
    for (const int tile : kGemmTiles)
      for (const Size& size : kSizes) cases.push_back(gemm_case(half, tile, size));
  return check_main(count, arguments, cases);
}
