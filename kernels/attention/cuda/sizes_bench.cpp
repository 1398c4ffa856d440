// SPDX-License-Identifier: Apache-2.0
// attention_sizes_bench: forward attention in fp16 over sizes from 128 to 16,384, of 16,384 rows and 2,048 columns
// together, as published figures have it. Names as in attention_bench.
#include "kernels/attention/cuda/chosen_case.hpp"

int main(int count, char** arguments) {
  using namespace kernels;
  using namespace kernels::attention;
  constexpr int kRows = 16384, kColumns = 2048;
  std::vector<bench::Case> cases;
  for (const bool causal : {false, true})
    for (const int depth : {64, 128, 256})
      for (int size = 128; size <= kRows; size *= 2)
        cases.push_back(chosen_case(DataType::fp16, {.batch = kRows / size,
                                                     .heads = kColumns / depth,
                                                     .key_heads = kColumns / depth,
                                                     .queries = size,
                                                     .keys = size,
                                                     .depth = depth,
                                                     .causal = causal}));
  return bench::run_suite(count, arguments, std::move(cases));
}
