// SPDX-License-Identifier: Apache-2.0
#pragma once

// The arguments of scaled_gemm_shape_bench: which products to time with which tile, beside which baseline. Plain C++;
// needs neither CUDA nor a GPU.

#include <optional>
#include <string>
#include <vector>

#include "kernels/scaled_gemm/scaled_gemm.hpp"

namespace kernels::scaled {

struct HarnessOptions {
  std::vector<Shape> shapes = {};
  int rows = 256, columns = 128, cluster = 2;
  int stages = 0;          // 0: as many as fit
  std::string baseline{};  // per_tensor or blocks; empty: none
  bool skip_check = false;
  bool cold = false;
};

// What is not ours is left in `arguments`, for Google Benchmark. An error says what is wrong and what would be right.
struct HarnessArguments {
  HarnessOptions options;
  std::string error;
};
[[nodiscard]] HarnessArguments parse_harness(std::vector<std::string>& arguments);

// MxNxK or MxNxKxL.
[[nodiscard]] std::optional<Shape> parse_shape(const std::string& text);

// The configuration that the options ask for. Stages that do not fit are an error that says how many do.
[[nodiscard]] std::string configuration_of(const HarnessOptions& options, std::string& error);

// Every number of stages from two on for a tile, with the shared memory of each and the epilogue's buffers: one line
// each.
[[nodiscard]] std::string stages_table(int rows, int columns);

}  // namespace kernels::scaled
