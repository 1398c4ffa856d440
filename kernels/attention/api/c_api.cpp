// SPDX-License-Identifier: Apache-2.0
// The C face of attention: exceptions become statuses.
#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>

#include "kernels/attention/api/kernelgate_attention.h"
#include "kernels/attention/cuda/variants.hpp"
#include "kernels/bench/device.hpp"

using namespace kernels;
using namespace kernels::attention;

struct kg_attention_plan {
  Launch launch;
  std::string configuration;
};

namespace {

thread_local std::string last_error;

struct NoDevice : std::runtime_error {
  using std::runtime_error::runtime_error;
};

kg_attention_status failed(kg_attention_status status, const char* text) {
  last_error = text;
  return status;
}

template <class Work>
kg_attention_status guarded(Work work) {
  try {
    work();
    return KG_ATTENTION_OK;
  } catch (const NoDevice& error) {
    return failed(KG_ATTENTION_NO_DEVICE, error.what());
  } catch (const std::logic_error& error) {  // also invalid_argument
    return failed(KG_ATTENTION_INVALID, error.what());
  } catch (const std::bad_alloc&) {
    return failed(KG_ATTENTION_NO_MEMORY, "the host has no memory left");
  } catch (const bench::CudaError& error) {
    return failed(error.code == cudaErrorMemoryAllocation ? KG_ATTENTION_NO_MEMORY : KG_ATTENTION_FAILED, error.what());
  } catch (const std::exception& error) {
    return failed(KG_ATTENTION_FAILED, error.what());
  }
}

void need(bool there, const char* what) {
  if (!there) throw std::invalid_argument(std::string(what) + " is missing: it must not be NULL");
}

Strides strides_of(const kg_attention_strides& given) { return {given.batch, given.head, given.row}; }

Problem problem_of(const kg_attention_problem& given) {
  if (given.type != KG_ATTENTION_FP16 && given.type != KG_ATTENTION_BF16)
    throw std::invalid_argument("type is " + std::to_string(given.type) + "; it may be 0 (fp16) or 1 (bf16)");
  need(given.q != nullptr, "q");
  need(given.o != nullptr, "o");
  need(given.keys == 0 || given.k != nullptr, "k");
  need(given.keys == 0 || given.v != nullptr, "v");
  return {.type = given.type == KG_ATTENTION_FP16 ? DataType::fp16 : DataType::bf16,
          .shape = {.batch = given.batch,
                    .heads = given.heads,
                    .key_heads = given.key_heads,
                    .queries = given.queries,
                    .keys = given.keys,
                    .depth = given.depth,
                    .causal = given.causal != 0,
                    .diagonal = given.diagonal},
          .scale = given.scale,
          .q = given.q,
          .k = given.k,
          .v = given.v,
          .o = given.o,
          .q_strides = strides_of(given.q_strides),
          .k_strides = strides_of(given.k_strides),
          .v_strides = strides_of(given.v_strides),
          .o_strides = strides_of(given.o_strides)};
}

// All that can be said of a problem before a GPU is asked for.
void need_valid(const Problem& problem, const char* configuration) {
  if (const char* reason = shape_refusal(problem.shape)) throw std::invalid_argument(reason);
  if (configuration != nullptr) {
    (void)configuration_for(problem, configuration);
    return;
  }
  const auto& all = configurations();
  if (std::none_of(all.begin(), all.end(), [&](const auto& one) { return one.refusal(problem) == nullptr; }))
    throw std::invalid_argument(all.front().refusal(problem));
}

// `add` makes the problem packed or sparse.
template <class Add>
kg_attention_status created(const kg_attention_problem* problem, const char* configuration, kg_attention_plan** plan,
                            Add add) {
  return guarded([&] {
    need(plan != nullptr, "plan");
    *plan = nullptr;
    need(problem != nullptr, "problem");
    Problem given = problem_of(*problem);
    add(given);
    need_valid(given, configuration);
    if (const std::string reason = bench::no_device_reason(); !reason.empty()) throw NoDevice(reason);
    std::string name = configuration != nullptr ? configuration
                                                : default_configuration(given, bench::current_device().multiprocessors);
    Launch launch = configuration_for(given, name).prepare(given);
    *plan = std::make_unique<kg_attention_plan>(kg_attention_plan{std::move(launch), std::move(name)}).release();
  });
}

}  // namespace

int32_t kg_attention_abi(void) { return KG_ATTENTION_ABI; }

const char* kg_attention_last_error(void) { return last_error.c_str(); }

kg_attention_status kg_attention_plan_create(const kg_attention_problem* problem, const char* configuration,
                                             kg_attention_plan** plan) {
  return created(problem, configuration, plan, [](Problem&) {});
}

kg_attention_status kg_attention_plan_create_packed(const kg_attention_problem* problem,
                                                    const kg_attention_packed* packed, const char* configuration,
                                                    kg_attention_plan** plan) {
  return created(problem, configuration, plan, [&](Problem& given) {
    need(packed != nullptr, "packed");
    need(packed->query_offsets != nullptr, "query_offsets");
    need(packed->key_offsets != nullptr, "key_offsets");
    given.packed = {.query_offsets = packed->query_offsets,
                    .key_offsets = packed->key_offsets,
                    .longest_queries = packed->longest_queries,
                    .longest_keys = packed->longest_keys};
  });
}

kg_attention_status kg_attention_plan_create_sparse(const kg_attention_problem* problem,
                                                    const kg_attention_blocks* blocks, const char* configuration,
                                                    kg_attention_plan** plan) {
  return created(problem, configuration, plan, [&](Problem& given) {
    need(blocks != nullptr, "blocks");
    need(blocks->offsets != nullptr, "the blocks' offsets");
    need(blocks->blocks != nullptr, "the blocks' numbers");
    given.sparse = {.offsets = blocks->offsets,
                    .blocks = blocks->blocks,
                    .rows = blocks->rows,
                    .columns = blocks->columns,
                    .per_head = blocks->per_head != 0,
                    .per_batch = blocks->per_batch != 0};
  });
}

void kg_attention_plan_destroy(kg_attention_plan* plan) { delete plan; }

const char* kg_attention_plan_configuration(const kg_attention_plan* plan) {
  return plan == nullptr ? "" : plan->configuration.c_str();
}

kg_attention_status kg_attention_plan_run(const kg_attention_plan* plan, void* stream) {
  return guarded([&] {
    need(plan != nullptr, "plan");
    plan->launch(static_cast<cudaStream_t>(stream));
  });
}
