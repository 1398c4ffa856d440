// SPDX-License-Identifier: Apache-2.0
// hopper_check [SEED]: each form of wgmma that hopper/wgmma.cuh wraps, against sums in double precision.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "kernels/bench/device.hpp"
#include "kernels/common/built_for.hpp"
#include "kernels/common/device_check.hpp"
#include "kernels/common/host_inputs.hpp"
#include "kernels/hopper/products.hpp"

namespace {

using namespace kernels;
using namespace kernels::hopper;

// Values rounded to the element's type, and their bytes.
struct Operand {
  std::vector<double> value;
  std::vector<unsigned char> bytes;
};

template <class T>
void append(Operand& operand, T narrow) {
  operand.value.push_back(static_cast<float>(narrow));
  const std::size_t at = operand.bytes.size();
  operand.bytes.resize(at + sizeof(T));
  std::memcpy(&operand.bytes[at], &narrow, sizeof(T));
}

Operand operand_of(Element element, std::uint64_t seed, std::size_t count) {
  Operand operand;
  for (const float value : random_inputs(seed, count)) {
    if (element == Element::fp16) append(operand, __half(value));
    if (element == Element::bf16) append(operand, __nv_bfloat16(value));
    if (element == Element::e4m3) append(operand, __nv_fp8_e4m3(value));
  }
  return operand;
}

Expected product(const ProductForm& form, const Operand& a, const Operand& b) {
  const int depth = depth_of(form.element);
  const std::size_t count = static_cast<std::size_t>(kProductRows) * form.n;
  Expected expected{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i)
    for (int k = 0; k < depth; ++k) {
      const std::size_t row = i / form.n, column = i % form.n, at = k;
      const double left = a.value[form.left_rows ? at * kProductRows + row : row * depth + at];
      const double right = b.value[form.right_rows ? at * form.n + column : column * depth + at];
      expected.value[i] += 2 * left * right;
      expected.magnitude[i] += 2 * std::fabs(left * right);
    }
  return expected;
}

CheckCase case_of(const ProductForm& form) {
  constexpr const char* kNames[] = {"fp16", "bf16", "e4m3"};
  const std::size_t a_count = static_cast<std::size_t>(kProductRows) * depth_of(form.element);
  const std::size_t b_count = static_cast<std::size_t>(form.n) * depth_of(form.element);
  const auto a = [=](std::uint64_t seed) { return operand_of(form.element, seed, a_count); };
  const auto b = [=](std::uint64_t seed) { return operand_of(form.element, seed + 1, b_count); };
  return {.name = std::string("wgmma/") + kNames[static_cast<int>(form.element)] + "/n:" + std::to_string(form.n) +
                  (form.from_registers ? "/registers" : "/shared") + (form.left_rows ? "/left_rows" : "") +
                  (form.right_rows ? "/right_rows" : ""),
          .shape = "DEPTH=" + std::to_string(depth_of(form.element)),
          // Each of eight steps cuts its terms where the largest ends: at 24 bits, of e4m3 at 13.
          .bound = form.element == Element::e4m3 ? 8 * 33 * 0x1p-13 : 8 * 17 * 0x1p-24,
          .oracle = [=](std::uint64_t seed) { return product(form, a(seed), b(seed)); },
          .run =
              [=](std::uint64_t seed, float* output) {
                const bench::DeviceMemory left = to_device(a(seed).bytes), right = to_device(b(seed).bytes);
                multiply(form, left.data(), right.data(), output, nullptr);
                bench::check(cudaDeviceSynchronize(), "the products");  // the operands must outlive them
              }};
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<CheckCase> cases;
  if (bench::no_device_reason().empty()) {
    if (const char* refusal = sm_90a_refusal()) {
      std::fprintf(stderr, "nothing is checked: %s\n", refusal);
    } else {
      for (const ProductForm& form : product_forms()) cases.push_back(case_of(form));
    }
  }
  return check_main(count, arguments, cases);
}
