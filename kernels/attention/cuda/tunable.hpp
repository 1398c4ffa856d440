// SPDX-License-Identifier: Apache-2.0
#pragma once

// Attention with tunable tiles, by mma.sync: any GPU since sm_80, no copy engine. Every combination of the parameters
// works or is refused at compile time, in a sentence.

#include <cuda_runtime.h>

#include <span>
#include <string>

#include "kernels/attention/attention.hpp"
#include "kernels/attention/cuda/mask.hpp"
#include "kernels/attention/cuda/tuning.hpp"

namespace kernels::attention {

struct TunableArguments {
  const void *q, *k, *v;
  void* o;
  Strides q_strides, k_strides, v_strides, o_strides;
  Mask mask;
  int queries, heads, heads_per_key_head;
  float scale_log2;
};

struct TunableKernel {
  Tuning tuning;
  int depth, shared_bytes;
  void (*kernel)(TunableArguments);
};

// Those that the program holds for every type; a sweep compiles others.
[[nodiscard]] std::span<const TunableKernel> tunable_kernels_fp16();
[[nodiscard]] std::span<const TunableKernel> tunable_kernels_bf16();
[[nodiscard]] std::string to_string(const Tuning& tuning);  // BLOCK_MxBLOCK_NxNUM_WARPSxSTAGES

// Why no tunable kernel can take a problem: rows are copied by 16 bytes.
[[nodiscard]] const char* tunable_refusal(const Problem& problem);

using Launch = std::function<void(cudaStream_t)>;
[[nodiscard]] Launch prepare_tunable(const Problem& problem, const TunableKernel& kernel);

}  // namespace kernels::attention
