// SPDX-License-Identifier: Apache-2.0
#pragma once

// One benchmark of scaled products in the timing kit: its operands, and the error of some elements of its output.

#include "kernels/bench/suite.hpp"
#include "kernels/scaled_gemm/cuda/configurations.hpp"

namespace kernels::scaled {

struct Choice {
  Launch launch;
  std::string configuration = {};  // empty where nothing is chosen
};
using Choose = std::function<Choice(const Problem&, const bench::Operands&)>;

// scaled_gemm/KIND/SHAPE. Rows are shared out evenly among contiguous groups; of masked ones `rows` count. Errors are
// stated where `errors` asks for them.
struct CaseOf {
  std::string kind;
  Shape shape;
  bench::Cache cache = bench::Cache::warm;
  int rows = 0;
  bool errors = true;
  bool b_is_ready = false;
};
[[nodiscard]] bench::Case suite_case(const CaseOf& of, const Choose& choose);

// By the configuration that KG_CONFIGURATIONS pins, or the one to take unmeasured.
[[nodiscard]] Choice usual_choice(const Problem& problem, const bench::Operands& set);

}  // namespace kernels::scaled
