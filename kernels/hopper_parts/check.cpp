// SPDX-License-Identifier: Apache-2.0
// hopper_parts_check [SEED]: every element that the copy engine brings, by checksums of whole boxes; every matrix
// instruction against sums in double precision. What the GPU or this program cannot run is left out, and said.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>

#include "kernels/bench/device.hpp"
#include "kernels/common/built_for.hpp"
#include "kernels/common/device_check.hpp"
#include "kernels/common/host_inputs.hpp"
#include "kernels/hopper_parts/mma_issue.hpp"
#include "kernels/hopper_parts/tma_load.hpp"

namespace {

using namespace kernels;

constexpr int kBlocks = 5;  // fewer than boxes: the ring of stages turns many times

template <class T>
T narrow(float value);
template <>
__half narrow(float value) {
  return __float2half_rn(value);
}
template <>
__nv_bfloat16 narrow(float value) {
  return __float2bfloat16_rn(value);
}
float widen(__half value) { return __half2float(value); }
float widen(__nv_bfloat16 value) { return __bfloat162float(value); }

template <class T>
std::vector<T> narrowed(const std::vector<float>& values) {
  std::vector<T> out;
  out.reserve(values.size());
  for (const float value : values) out.push_back(narrow<T>(value));
  return out;
}

// Exact: inputs are multiples of 2^-11 below 1, and the sums of a box stay below 2^13.
Expected checksums(const TmaShape& shape, const std::vector<float>& matrix) {
  Expected expected{std::vector<double>(shape.boxes()), std::vector<double>(shape.boxes(), 1.0)};
  for (int row = 0; row < shape.rows; ++row)
    for (int column = 0; column < shape.columns; ++column) {
      const int box = row / shape.box_rows * shape.boxes_across() + column / shape.box_columns;
      expected.value[box] += static_cast<double>(matrix[static_cast<std::size_t>(row) * shape.columns + column]) *
                             tma_weight(row % shape.box_rows, column % shape.box_columns);
    }
  return expected;
}

CheckCase tma_case(const char* name, const TmaShape& shape) {
  const auto input = [=](std::uint64_t seed) {
    return random_inputs(seed, static_cast<std::size_t>(shape.rows) * shape.columns);
  };
  return {.name = std::string("tma_load/") + name + "/stages:" + std::to_string(shape.stages),
          .shape = "ROWS=" + std::to_string(shape.rows) + " COLUMNS=" + std::to_string(shape.columns) +
                   " BOX=" + std::to_string(shape.box_rows) + "x" + std::to_string(shape.box_columns),
          .bound = 0,
          .oracle = [=](std::uint64_t seed) { return checksums(shape, input(seed)); },
          .run =
              [=](std::uint64_t seed, float* output) {
                const bench::DeviceMemory in = to_device(narrowed<__half>(input(seed)));
                const CUtensorMap map = tma_map(shape, in.data());
                tma_checksums(map, shape, output, kBlocks, nullptr);
                bench::check(cudaDeviceSynchronize(), "the loads");  // `in` must outlive them
              }};
}

template <class T>
Expected product(const IssueShape& shape, const std::vector<T>& a, const std::vector<T>& b) {
  Expected expected{std::vector<double>(shape.d_count()), std::vector<double>(shape.d_count())};
  for (std::size_t i = 0; i < shape.d_count(); ++i)
    for (int k = 0; k < kIssueDepth; ++k) {
      const double term = static_cast<double>(widen(a[shape.a_row(i) + k])) * widen(b[shape.b_row(i) + k]);
      expected.value[i] += shape.rounds * term;
      expected.magnitude[i] += shape.rounds * std::fabs(term);
    }
  return expected;
}

// An instruction adds 16 products and a sum, each cut where the largest of them ends in fp32: 17 x 2^-24 of the
// magnitudes a step, and a round has four steps.
double bound_of(const IssueShape& shape) { return 4 * 17 * 0x1p-24 * shape.rounds; }

template <class T>
CheckCase issue_case(const char* instruction, const IssueShape& shape, int scale_bits) {
  const auto a = [=](std::uint64_t seed) { return narrowed<T>(random_inputs(seed, shape.a_count(), scale_bits)); };
  const auto b = [=](std::uint64_t seed) { return narrowed<T>(random_inputs(seed + 1, shape.b_count(), scale_bits)); };
  return {.name = std::string("mma_issue/") + instruction + (shape.bf16 ? "/bf16" : "/fp16") +
                  "/n:" + std::to_string(shape.n) + "/groups:" + std::to_string(shape.groups) +
                  (scale_bits > 0 ? "/scales" : ""),
          .shape = "BLOCKS=" + std::to_string(shape.blocks) + " ROUNDS=" + std::to_string(shape.rounds),
          .bound = bound_of(shape),
          .oracle = [=](std::uint64_t seed) { return product(shape, a(seed), b(seed)); },
          .run =
              [=](std::uint64_t seed, float* output) {
                const bench::DeviceMemory left = to_device(a(seed)), right = to_device(b(seed));
                mma_issue(shape, left.data(), right.data(), output, nullptr);
                bench::check(cudaDeviceSynchronize(), "the products");  // the operands must outlive them
              }};
}

void add_issue_cases(std::vector<CheckCase>& cases, const char* instruction, IssueShape shape) {
  for (const bool bf16 : {false, true})
    for (const int rounds : {1, 5}) {
      shape.bf16 = bf16;
      shape.rounds = rounds;
      const int scale_bits = rounds == 1 ? 0 : bf16 ? 20 : 3;  // products of halves must still fit
      cases.push_back(bf16 ? issue_case<__nv_bfloat16>(instruction, shape, scale_bits)
                           : issue_case<__half>(instruction, shape, scale_bits));
    }
}

std::vector<CheckCase> tma_cases() {
  std::vector<CheckCase> cases;
  for (const int stages : {1, 3, 4}) {
    cases.push_back(tma_case("square", {512, 512, 64, 64, stages}));
    cases.push_back(tma_case("small_box", {512, 512, 16, 64, stages}));
    cases.push_back(tma_case("tall_box", {2048, 512, 256, 64, stages}));
    cases.push_back(tma_case("wide_box", {256, 1024, 64, 256, stages}));
    cases.push_back(tma_case("edges", {301, 200, 64, 64, stages}));
    cases.push_back(tma_case("wide_edges", {77, 264, 64, 256, stages}));
    cases.push_back(tma_case("less_than_a_box", {3, 8, 128, 64, stages}));
  }
  return cases;
}

std::vector<CheckCase> wgmma_cases() {
  std::vector<CheckCase> cases;
  for (const int n : {64, 128, 256})
    for (const int groups : {1, 2}) {
      const IssueShape shape{.n = n, .groups = groups, .blocks = 3};
      IssueShape from_registers = shape;
      from_registers.issue = Issue::wgmma_registers;
      add_issue_cases(cases, "wgmma_shared", shape);
      add_issue_cases(cases, "wgmma_registers", from_registers);
    }
  return cases;
}

// Of the cases that this GPU and program can run.
void append(std::vector<CheckCase>& cases, const char* refusal, const std::vector<CheckCase>& more) {
  if (refusal == nullptr) {
    cases.insert(cases.end(), more.begin(), more.end());
  } else {
    std::fprintf(stderr, "%s and the like are left out: %s\n", more.front().name.c_str(), refusal);
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<CheckCase> cases;
  for (const int groups : {1, 2, 4})
    add_issue_cases(cases, "mma_sync", {.issue = Issue::mma_sync, .n = kIssueSyncN, .groups = groups, .blocks = 3});
  if (bench::no_device_reason().empty()) {
    append(cases, sm_90_refusal(), tma_cases());
    append(cases, sm_90a_refusal(), wgmma_cases());
  }
  return check_main(count, arguments, cases);
}
