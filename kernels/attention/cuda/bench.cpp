// SPDX-License-Identifier: Apache-2.0
// attention_bench: forward attention. Names read attention/TYPE/BATCHxHEADSxSIZExDEPTH[/causal][/ARRANGEMENT]/warm,
// with HEADS:KEY_HEADS where heads are grouped; packed sequences have the size of all together, and of a pattern
// sparse:ROWSxCOLUMNS:THOUSANDTHS names its blocks and how many there are. The label names the configuration, and
// KG_CONFIGURATIONS pins it.
#include "kernels/attention/cuda/chosen_case.hpp"

namespace {

using namespace kernels;
using namespace kernels::attention;

Shape square(int batch, int heads, int key_heads, int size, int depth, bool causal) {
  return {.batch = batch,
          .heads = heads,
          .key_heads = key_heads,
          .queries = size,
          .keys = size,
          .depth = depth,
          .causal = causal};
}

// In no order; from 100 to 4,096.
Arrangement mixed() {
  Arrangement made{.name = "packed:mixed"};
  for (const int size : {300, 128, 1500, 900, 256, 512, 3000, 100, 640, 2048, 384, 200, 1024, 500, 768, 4096})
    made.sequences.push_back({size, size});
  return made;
}
Arrangement equal(int count, int size) {
  return {.name = "packed:equal",
          .sequences = std::vector<SequenceLength>(static_cast<std::size_t>(count), {size, size})};
}
Arrangement pattern(int columns, int thousandths, bool causal) {
  return {.name = "sparse:128x" + std::to_string(columns) + ":" + std::to_string(thousandths),
          .pattern =
              PatternKind{.columns = columns, .density = thousandths / 1000.0, .diagonal = causal, .per_head = true}};
}

void add_dense(bool causal, std::vector<bench::Case>& cases) {
  for (const int depth : {64, 128, 256})
    cases.push_back(chosen_case(DataType::fp16, square(4, 16, 16, 4096, depth, causal)));
  cases.push_back(chosen_case(DataType::fp16, square(32, 16, 16, 512, 64, causal)));
  cases.push_back(chosen_case(DataType::fp16, square(2, 16, 16, 16384, 128, causal)));
  cases.push_back(chosen_case(DataType::fp16, square(4, 64, 8, 4096, 128, causal)));
  cases.push_back(chosen_case(DataType::fp16, square(1, 16, 16, 1000, 128, causal)));
  cases.push_back(chosen_case(DataType::bf16, square(4, 16, 16, 4096, 128, causal)));
  cases.push_back(chosen_case(DataType::bf16, square(32, 16, 16, 512, 64, causal)));
}

void add_packed(bool causal, std::vector<bench::Case>& cases) {
  const auto add = [&](int heads, int depth, const Arrangement& arrangement) {
    const Shape shape{.heads = heads, .key_heads = heads, .depth = depth, .causal = causal};
    cases.push_back(chosen_case(DataType::fp16, shape, arrangement));
  };
  add(16, 128, equal(4, 4096));
  add(16, 128, equal(32, 512));
  add(16, 128, mixed());
  add(32, 64, mixed());
}

void add_sparse(bool causal, std::vector<bench::Case>& cases) {
  cases.push_back(chosen_case(DataType::fp16, square(4, 16, 16, 8192, 128, causal)));
  for (const int columns : {128, 64})
    cases.push_back(chosen_case(DataType::fp16, square(4, 16, 16, 8192, 128, causal), pattern(columns, 125, causal)));
  cases.push_back(chosen_case(DataType::fp16, square(4, 16, 16, 8192, 64, causal)));
  cases.push_back(chosen_case(DataType::fp16, square(4, 16, 16, 8192, 64, causal), pattern(128, 125, causal)));
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<bench::Case> cases;
  for (const bool causal : {false, true}) add_dense(causal, cases);
  for (const bool causal : {false, true}) add_packed(causal, cases);
  for (const bool causal : {false, true}) add_sparse(causal, cases);
  return bench::run_suite(count, arguments, std::move(cases));
}
