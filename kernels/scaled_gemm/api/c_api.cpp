// SPDX-License-Identifier: Apache-2.0
// The C face of block-scaled products: exceptions become statuses.
#include <memory>
#include <new>
#include <stdexcept>

#include "kernels/bench/device.hpp"
#include "kernels/scaled_gemm/api/kernelgate_scaled.h"
#include "kernels/scaled_gemm/cuda/quantise.hpp"

using namespace kernels;
using namespace kernels::scaled;

struct kg_scaled_plan {
  Launch launch;
  std::string configuration;
};

namespace {

constexpr std::uintptr_t kAlignment = 16;

thread_local std::string last_error;

struct NoDevice : std::runtime_error {
  using std::runtime_error::runtime_error;
};

kg_scaled_status failed(kg_scaled_status status, const char* text) {
  last_error = text;
  return status;
}

template <class Work>
kg_scaled_status guarded(Work work) {
  try {
    work();
    return KG_SCALED_OK;
  } catch (const NoDevice& error) {
    return failed(KG_SCALED_NO_DEVICE, error.what());
  } catch (const std::logic_error& error) {  // also invalid_argument
    return failed(KG_SCALED_INVALID, error.what());
  } catch (const std::bad_alloc&) {
    return failed(KG_SCALED_NO_MEMORY, "the host has no memory left");
  } catch (const bench::CudaError& error) {
    return failed(error.code == cudaErrorMemoryAllocation ? KG_SCALED_NO_MEMORY : KG_SCALED_FAILED, error.what());
  } catch (const std::exception& error) {
    return failed(KG_SCALED_FAILED, error.what());
  }
}

void need(bool there, const char* what) {
  if (!there) throw std::invalid_argument(std::string(what) + " is missing: it must not be NULL");
}
void need_aligned(const void* pointer, const char* what) {
  need(pointer != nullptr, what);
  if (reinterpret_cast<std::uintptr_t>(pointer) % kAlignment != 0)
    throw std::invalid_argument(std::string(what) + " does not lie at a multiple of 16 bytes");
}
void need_device() {
  if (const std::string reason = bench::no_device_reason(); !reason.empty()) throw NoDevice(reason);
}

Problem problem_of(const kg_scaled_problem& given) {
  constexpr Grouping kGroupings[] = {Grouping::batched, Grouping::contiguous, Grouping::masked};
  if (given.grouping < KG_SCALED_BATCHED || given.grouping > KG_SCALED_MASKED)
    throw std::invalid_argument("grouping is " + std::to_string(given.grouping) + "; it may be 0, 1 or 2");
  need_aligned(given.a, "a");
  need_aligned(given.b, "b");
  need_aligned(given.a_scales, "a_scales");
  need_aligned(given.b_scales, "b_scales");
  need_aligned(given.c, "c");
  const Grouping grouping = kGroupings[given.grouping];
  need(grouping == Grouping::batched || given.groups != nullptr, "groups");
  return {.shape = {.m = given.m,
                    .n = given.n,
                    .k = given.k,
                    .matrices = given.matrices,
                    .grouping = grouping,
                    .alignment = given.alignment},
          .a = given.a,
          .b = given.b,
          .a_scales = given.a_scales,
          .b_scales = given.b_scales,
          .c = given.c,
          .group_of_rows = given.groups,
          .b_is_ready = given.b_is_ready != 0,
          .rows_of_group = given.groups};
}

// All that can be said of a problem before a GPU is asked for.
void need_valid(const Shape& shape, const char* configuration) {
  if (const char* reason = shape_refusal(shape)) throw std::invalid_argument(reason);
  if (configuration == nullptr) return;
  std::string reason = refusal(shape, configuration);
  if (reason.empty()) return;
  reason.append("; there are");
  for (const std::string& one : configurations_for(shape)) reason.append(" ").append(one);
  throw std::invalid_argument(reason);
}

void give(kg_scaled_plan** plan, Launch launch, std::string configuration) {
  *plan = std::make_unique<kg_scaled_plan>(kg_scaled_plan{std::move(launch), std::move(configuration)}).release();
}

}  // namespace

int32_t kg_scaled_abi(void) { return KG_SCALED_ABI; }

const char* kg_scaled_last_error(void) { return last_error.c_str(); }

int32_t kg_scaled_a_pitch(int32_t rows) { return Shape{.m = rows}.a_scale_pitch(); }

kg_scaled_status kg_scaled_plan_create(const kg_scaled_problem* problem, const char* configuration,
                                       kg_scaled_plan** plan) {
  return guarded([&] {
    need(plan != nullptr, "plan");
    *plan = nullptr;
    need(problem != nullptr, "problem");
    const Problem given = problem_of(*problem);
    need_valid(given.shape, configuration);
    need_device();
    const std::string name = configuration != nullptr
                                 ? configuration
                                 : usual_configuration(given.shape, bench::current_device().multiprocessors);
    give(plan, prepare(given, name), name);
  });
}

kg_scaled_status kg_scaled_plan_create_norm(const kg_scaled_norm* problem, kg_scaled_plan** plan) {
  return guarded([&] {
    need(plan != nullptr, "plan");
    *plan = nullptr;
    need(problem != nullptr, "problem");
    if (const char* reason = norm_refusal(problem->rows, problem->columns)) throw std::invalid_argument(reason);
    need_aligned(problem->x, "x");
    need_aligned(problem->gain, "gain");
    need_aligned(problem->values, "values");
    need_aligned(problem->scales, "scales");
    need_device();
    give(plan,
         prepare_norm({.rows = problem->rows,
                       .columns = problem->columns,
                       .epsilon = problem->epsilon,
                       .x = problem->x,
                       .gain = problem->gain,
                       .values = problem->values,
                       .scales = problem->scales}),
         "norm");
  });
}

void kg_scaled_plan_destroy(kg_scaled_plan* plan) { delete plan; }

const char* kg_scaled_plan_configuration(const kg_scaled_plan* plan) {
  return plan == nullptr ? "" : plan->configuration.c_str();
}

kg_scaled_status kg_scaled_plan_run(const kg_scaled_plan* plan, void* stream) {
  return guarded([&] {
    need(plan != nullptr, "plan");
    plan->launch(static_cast<cudaStream_t>(stream));
  });
}
