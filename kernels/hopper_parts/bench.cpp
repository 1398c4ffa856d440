// SPDX-License-Identifier: Apache-2.0
// hopper_parts_bench: the parts of a Hopper matrix product, each alone. Names read
// tma_load/box:ROWSxCOLUMNS/stages:COUNT/CACHE and mma_issue/INSTRUCTION/TYPE/n:COLUMNS/groups:WARPGROUPS/warm.
#include <stdexcept>

#include "kernels/bench/sampling.hpp"
#include "kernels/common/built_for.hpp"
#include "kernels/common/inject.hpp"
#include "kernels/hopper_parts/mma_issue.hpp"
#include "kernels/hopper_parts/tma_load.hpp"

namespace {

using namespace kernels::bench;
using kernels::Issue;
using kernels::IssueShape;
using kernels::TmaShape;

// 16 MiB stay in the L2 of an H200; 256 MiB do not.
constexpr int kColumns = 8192, kWarmRows = 1024, kColdRows = 16384;
constexpr int kWarmTurns = 8;  // so that the launch does not count
constexpr int kRounds = 512;   // with 256 columns

double sampled_sum(const TmaShape& shape, int loads, int blocks, int block) {
  const int elements = shape.box_rows * shape.box_columns;
  double sum = 0;
  for (int number = block, load = 0; number < loads; number += blocks, ++load) {
    const int box = number % shape.boxes();
    const std::size_t row = static_cast<std::size_t>(box / shape.boxes_across()) * shape.box_rows;
    const int column = box % shape.boxes_across() * shape.box_columns;
    for (int lane = 0; lane < kernels::kTmaLanes; ++lane) {
      const int at = kernels::tma_sampled_element(elements, load, lane);
      sum += random_value(kSeed, (row + at / shape.box_columns) * shape.columns + column + at % shape.box_columns);
    }
  }
  return sum;
}

Case tma_case(TmaShape shape, Cache cache) {
  shape.columns = kColumns;
  shape.rows = cache == Cache::warm ? kWarmRows : kColdRows;
  const int turns = cache == Cache::warm ? kWarmTurns : 1;
  return {
      .name = "tma_load/box:" + std::to_string(shape.box_rows) + "x" + std::to_string(shape.box_columns) +
              "/stages:" + std::to_string(shape.stages),
      .cache = cache,
      .bytes = static_cast<double>(shape.rows) * shape.columns * 2 * turns,
      .rate = Rate::fp16,
      .make = [=](Operands& set) {
        if (const char* reason = kernels::sm_90_refusal()) throw std::runtime_error(reason);
        const int loads = static_cast<int>(kernels::with_extra_work(static_cast<std::size_t>(shape.boxes()) * turns));
        const int blocks = set.device().multiprocessors;
        const __half* in = set.input<__half>(static_cast<std::size_t>(shape.rows) * shape.columns);
        float* out = set.output<float>(blocks);
        const CUtensorMap map = kernels::tma_map(shape, in);
        return Work{.launch = [=](cudaStream_t stream) { kernels::tma_load(map, shape, loads, out, blocks, stream); },
                    .errors =
                        [=] {
                          return sampled_errors(out, blocks, [=](std::size_t block) {
                            return sampled_sum(shape, loads, blocks, static_cast<int>(block));
                          });
                        },
                    .shape = {.grid = dim3(static_cast<unsigned>(blocks)),
                              .block = dim3(2 * kernels::kTmaLanes),
                              .shared_bytes = shape.shared_bytes()}};
      }};
}

double rounded(bool bf16, float value) {
  return bf16 ? static_cast<double>(__bfloat162float(__float2bfloat16_rn(value))) : value;  // halves hold it exactly
}

double element(const IssueShape& shape, std::size_t index) {
  double sum = 0;
  for (int k = 0; k < kernels::kIssueDepth; ++k)
    sum += rounded(shape.bf16, random_value(kSeed, shape.a_row(index) + k)) *
           rounded(shape.bf16, random_value(kSeed + 1, shape.b_row(index) + k));
  return sum * shape.rounds;
}

template <class T>
Work issue_work(IssueShape shape, Operands& set) {
  if (const char* reason = kernels::issue_refusal(shape)) throw std::runtime_error(reason);
  shape.rounds = static_cast<int>(kernels::with_extra_work(shape.rounds));
  const T* a = set.input<T>(shape.a_count());
  const T* b = set.input<T>(shape.b_count());
  float* d = set.output<float>(shape.d_count());
  return {
      .launch = [=](cudaStream_t stream) { kernels::mma_issue(shape, a, b, d, stream); },
      .errors = [=] { return sampled_errors(d, shape.d_count(), [=](std::size_t i) { return element(shape, i); }); },
      .shape = {.grid = dim3(static_cast<unsigned>(shape.blocks)),
                .block = dim3(128 * static_cast<unsigned>(shape.groups)),
                .shared_bytes = shape.shared_bytes()}};
}

Case issue_case(const char* instruction, Issue issue, IssueShape shape, int blocks) {
  shape.issue = issue;
  shape.blocks = blocks;
  shape.rounds = kRounds * 256 / shape.n;
  return {.name = std::string("mma_issue/") + instruction + (shape.bf16 ? "/bf16" : "/fp16") +
                  "/n:" + std::to_string(shape.n) + "/groups:" + std::to_string(shape.groups),
          .cache = Cache::warm,
          .flops = shape.flops(),
          .bytes = 2.0 * static_cast<double>(shape.a_count() + shape.b_count()) + 4.0 * shape.d_count(),
          .rate = shape.bf16 ? Rate::bf16 : Rate::fp16,
          .make = [shape](Operands& set) {
            return shape.bf16 ? issue_work<__nv_bfloat16>(shape, set) : issue_work<__half>(shape, set);
          }};
}

// The cases' work follows from it. Without a GPU nothing but the names is asked for.
int multiprocessors() {
  int count = 0;
  return cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess ? count : 1;
}

void add_tma_cases(std::vector<Case>& cases) {
  struct Box {
    int rows, columns;
    std::vector<int> stages;
  };
  const Box boxes[] = {{16, 64, {1, 2, 4, 8, 16}},
                       {64, 64, {1, 2, 4, 8, 16}},
                       {128, 64, {1, 2, 4, 8}},
                       {256, 64, {1, 2, 4, 6}},
                       {64, 256, {1, 2, 4, 6}}};
  for (const Cache cache : {Cache::warm, Cache::cold})
    for (const Box& box : boxes)
      for (const int stages : box.stages)
        cases.push_back(tma_case({.box_rows = box.rows, .box_columns = box.columns, .stages = stages}, cache));
}

void add_issue_cases(std::vector<Case>& cases, int blocks) {
  for (const bool bf16 : {false, true}) {
    for (const int n : {64, 128, 256})
      for (const int groups : {1, 2}) {
        const IssueShape shape{.bf16 = bf16, .n = n, .groups = groups};
        cases.push_back(issue_case("wgmma_shared", Issue::wgmma_shared, shape, blocks));
        cases.push_back(issue_case("wgmma_registers", Issue::wgmma_registers, shape, blocks));
      }
    for (const int groups : {1, 2, 4})
      cases.push_back(
          issue_case("mma_sync", Issue::mma_sync, {.bf16 = bf16, .n = kernels::kIssueSyncN, .groups = groups}, blocks));
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<Case> cases;
  add_tma_cases(cases);
  add_issue_cases(cases, multiprocessors());
  return run_suite(count, arguments, std::move(cases));
}
