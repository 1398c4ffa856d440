// SPDX-License-Identifier: Apache-2.0
#pragma once

// Problems for the check, made from a seed, and the smallest one that still fails. Pure.

#include <functional>
#include <string>
#include <vector>

#include "kernels/scaled_gemm/reference.hpp"

namespace kernels::scaled {

// plain: operands as a quantiser makes them, scales about 1. bytes: every finite byte, scales of very different powers
// of two. zeros: whole blocks and scales are zero. extreme: scales near the ends of fp32 whose products are not.
// nan: some operands and some scales are NaN, and what they meet must be.
enum class Content { plain, bytes, zeros, extreme, nan };
[[nodiscard]] const char* to_string(Content content);

struct CheckProblem {
  Shape shape;
  Content content = Content::plain;
  std::vector<int> rows = {};  // contiguous and masked: of each group

  // Contiguous: with the m that all groups need, and one alignment more that is nobody's.
  [[nodiscard]] CheckProblem completed() const;
};
[[nodiscard]] std::string to_string(const CheckProblem& problem);

[[nodiscard]] HostOperands operands_of(const CheckProblem& problem, std::uint64_t seed);

// Small enough for the reference; the same for the same seed.
[[nodiscard]] CheckProblem random_problem(std::uint64_t seed);
[[nodiscard]] CheckProblem smallest_failing(CheckProblem problem,
                                            const std::function<bool(const CheckProblem&)>& fails);

}  // namespace kernels::scaled
