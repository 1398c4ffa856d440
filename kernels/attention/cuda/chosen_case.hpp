// SPDX-License-Identifier: Apache-2.0
#pragma once

// A benchmark of attention by the configuration that KG_CONFIGURATIONS pins, or the one to take unmeasured.

#include "kernels/attention/cuda/suite_case.hpp"

namespace kernels::attention {

[[nodiscard]] inline bench::Case chosen_case(DataType type, const Shape& shape, const Arrangement& arrangement = {}) {
  const auto choose = [](const Problem& problem, const bench::Operands& set) {
    const std::string name =
        set.pinned().empty() ? default_configuration(problem, set.device().multiprocessors) : set.pinned();
    return Choice{configuration_for(problem, name).prepare(problem), name};
  };
  return suite_case(type, shape, choose, arrangement);
}

}  // namespace kernels::attention
