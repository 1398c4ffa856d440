// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/tunable.hpp"

#include <numbers>
#include <stdexcept>

#include "kernels/attention/cuda/variants.hpp"
#include "kernels/bench/cuda.hpp"

namespace kernels::attention {

std::string to_string(const Tuning& tuning) {
  std::string text = std::to_string(tuning.block_m);
  for (const int value : {tuning.block_n, tuning.num_warps, tuning.stages})
    text.append("x").append(std::to_string(value));
  return text;
}

const char* tunable_refusal(const Problem& problem) {
  if (const char* reason = shape_refusal(problem.shape)) return reason;
  if (problem.layout() != Layout::dense) return "packed sequences and block patterns need a wgmma configuration";
  if (!(problem.scale > 0)) return "the scale is above zero";
  for (const Strides* strides : {&problem.q_strides, &problem.k_strides, &problem.v_strides, &problem.o_strides})
    if (strides->batch % 8 != 0 || strides->head % 8 != 0 || strides->row % 8 != 0)
      return "strides are multiples of 8 elements";
  for (const void* pointer : {problem.q, problem.k, problem.v, static_cast<const void*>(problem.o)})
    if (reinterpret_cast<std::uintptr_t>(pointer) % 16 != 0) return "operands begin at multiples of 16 bytes";
  return nullptr;
}

Launch prepare_tunable(const Problem& problem, const TunableKernel& kernel) {
  const Shape& shape = problem.shape;
  if (const char* reason = tunable_refusal(problem)) throw std::runtime_error(reason);
  if (kernel.depth != shape.depth) throw std::runtime_error("the kernel is for another depth");
  if (shape.keys == 0) return clearing(problem);
  bench::check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel.kernel),
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, kernel.shared_bytes),
               "asking for shared memory");
  const TunableArguments arguments{.q = problem.q,
                                   .k = problem.k,
                                   .v = problem.v,
                                   .o = problem.o,
                                   .q_strides = problem.q_strides,
                                   .k_strides = problem.k_strides,
                                   .v_strides = problem.v_strides,
                                   .o_strides = problem.o_strides,
                                   .mask = {.keys = shape.keys, .diagonal = shape.diagonal, .causal = shape.causal},
                                   .queries = shape.queries,
                                   .heads = shape.heads,
                                   .heads_per_key_head = shape.heads / shape.key_heads,
                                   .scale_log2 = problem.scale * std::numbers::log2e_v<float>};
  const int rows = kernel.tuning.block_m;
  const dim3 grid(static_cast<unsigned>(shape.batch * shape.heads),
                  static_cast<unsigned>((shape.queries + rows - 1) / rows));
  const dim3 block(static_cast<unsigned>(kernel.tuning.num_warps * 32));
  return [=](cudaStream_t stream) {
    void* given[] = {const_cast<TunableArguments*>(&arguments)};
    bench::check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel.kernel), grid, block, given,
                                  static_cast<std::size_t>(kernel.shared_bytes), stream),
                 "launching attention");
  };
}

}  // namespace kernels::attention
