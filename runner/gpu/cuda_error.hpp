// SPDX-License-Identifier: Apache-2.0
#pragma once

// What kind of end a program on a GPU came to, from what it said. Pure.

#include <optional>
#include <string>
#include <string_view>

#include "core/decision/evidence/evidence.hpp"

namespace kernelgate::gpu {

struct CudaError {
  int code;
  std::string_view name;   // cudaErrorIllegalAddress
  std::string_view words;  // as cudaGetErrorString says it
  std::string_view kind;   // "illegal address"
  bool sticky;             // every later call of the process fails too
};

// The error that a text names by its words or its name; of several the one that stands first.
[[nodiscard]] std::optional<CudaError> find_cuda_error(std::string_view text);

// A program that found no GPU or no driver, as every CUDA program does on a machine without.
[[nodiscard]] bool says_no_gpu(std::string_view text);

// "illegal address (CUDA error 700; nothing more could run in that process): " and what the program said. Host crashes
// and hangs are named too; other texts stay as they are.
[[nodiscard]] std::string explain_failure(const CaseFailure& failure);

}  // namespace kernelgate::gpu
