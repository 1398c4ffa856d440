// SPDX-License-Identifier: Apache-2.0
// attention_bench: forward attention. Names read attention/TYPE/BATCHxHEADSxSIZExDEPTH[/causal]/warm, with
// HEADS:KEY_HEADS where heads are grouped. The label names the configuration, and KG_CONFIGURATIONS pins it.
#include <stdexcept>

#include "kernels/attention/cuda/suite_case.hpp"

namespace {

using namespace kernels;
using namespace kernels::attention;

Launch prepared(const Problem& problem, const std::string& name) {
  for (const Configuration& one : configurations())
    if (one.name == name) {
      if (const char* reason = one.refusal(problem)) throw std::runtime_error(name + ": " + reason);
      return one.prepare(problem);
    }
  throw std::runtime_error(name + " is no configuration of attention");
}

bench::Case case_of(DataType type, const Shape& shape) {
  return suite_case(type, shape, [](const Problem& problem, const bench::Operands& set) {
    const std::string name =
        set.pinned().empty() ? default_configuration(problem, set.device().multiprocessors) : set.pinned();
    return Choice{prepared(problem, name), name};
  });
}

Shape square(int batch, int heads, int key_heads, int size, int depth, bool causal) {
  return {.batch = batch,
          .heads = heads,
          .key_heads = key_heads,
          .queries = size,
          .keys = size,
          .depth = depth,
          .causal = causal};
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<bench::Case> cases;
  for (const bool causal : {false, true}) {
    for (const int depth : {64, 128, 256})
      cases.push_back(case_of(DataType::fp16, square(4, 16, 16, 4096, depth, causal)));
    cases.push_back(case_of(DataType::fp16, square(32, 16, 16, 512, 64, causal)));
    cases.push_back(case_of(DataType::fp16, square(2, 16, 16, 16384, 128, causal)));
    cases.push_back(case_of(DataType::fp16, square(4, 64, 8, 4096, 128, causal)));
    cases.push_back(case_of(DataType::fp16, square(1, 16, 16, 1000, 128, causal)));
    cases.push_back(case_of(DataType::bf16, square(4, 16, 16, 4096, 128, causal)));
    cases.push_back(case_of(DataType::bf16, square(32, 16, 16, 512, 64, causal)));
  }
  return bench::run_suite(count, arguments, std::move(cases));
}
