// SPDX-License-Identifier: Apache-2.0
// The C face of Plan: exceptions become statuses, and all plans share one tuner.
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>

#include "kernels/bench/device.hpp"
#include "kernels/bsr_gemm/api/kernelgate_bsr.h"
#include "kernels/bsr_gemm/api/pattern_problem.hpp"
#include "kernels/bsr_gemm/api/plan.hpp"

using namespace kernels;
using namespace kernels::bsr;

struct kg_bsr_plan {
  Plan plan;
  std::string decision;
};

namespace {

thread_local std::string last_error;

struct NoDevice : std::runtime_error {
  using std::runtime_error::runtime_error;
};

kg_bsr_status failed(kg_bsr_status status, const char* text) {
  last_error = text;
  return status;
}

template <class Work>
kg_bsr_status guarded(Work work) {
  try {
    work();
    return KG_BSR_OK;
  } catch (const NoDevice& error) {
    return failed(KG_BSR_NO_DEVICE, error.what());
  } catch (const std::logic_error& error) {  // also invalid_argument
    return failed(KG_BSR_INVALID, error.what());
  } catch (const std::bad_alloc&) {
    return failed(KG_BSR_NO_MEMORY, "the host has no memory left");
  } catch (const bench::CudaError& error) {
    return failed(error.code == cudaErrorMemoryAllocation ? KG_BSR_NO_MEMORY : KG_BSR_FAILED, error.what());
  } catch (const std::exception& error) {
    return failed(KG_BSR_FAILED, error.what());
  }
}

// One at a time measures, and warnings of the cache file come once a process.
template <class Work>
void with_tuner(Work work) {
  static std::mutex one;
  static std::unique_ptr<autotune::Tuner> tuner;
  const std::lock_guard lock(one);
  if (!tuner) tuner = std::make_unique<autotune::Tuner>(make_tuner(autotune::settings_from_environment()));
  work(*tuner);
}

void need(bool there, const char* what) {
  if (!there) throw std::invalid_argument(std::string(what) + " is missing: it must not be NULL");
}

// The tuner's key and the schedules are of device 0; memory and launches go to the thread's current device.
void need_first_device() {
  int current = 0;
  bench::check(cudaGetDevice(&current), "asking for the current device");
  if (current != 0)
    throw std::invalid_argument("the current device is " + std::to_string(current) +
                                "; it must be 0 (CUDA_VISIBLE_DEVICES says which GPU that is)");
}

// The sizes are looked at first: they say how much is copied.
BsrMatrix copied(const kg_bsr_pattern& given, int n) {
  BsrMatrix pattern{.rows = given.rows,
                    .columns = given.columns,
                    .block_rows = given.block_rows,
                    .block_columns = given.block_columns,
                    .row_begin = {0},
                    .block_column = {},
                    .values = {}};
  if (const std::string problem = size_problem(pattern, n); !problem.empty()) throw std::invalid_argument(problem);
  need(given.row_begin != nullptr, "row_begin");
  pattern.row_begin.assign(given.row_begin, given.row_begin + given.rows / given.block_rows + 1);
  if (const std::string problem = row_problem(pattern); !problem.empty()) throw std::invalid_argument(problem);
  const int blocks = pattern.row_begin.back();
  need(given.block_column != nullptr || blocks == 0, "block_column");
  if (blocks > 0) pattern.block_column.assign(given.block_column, given.block_column + blocks);
  if (const std::string problem = pattern_problem(pattern, n); !problem.empty()) throw std::invalid_argument(problem);
  return pattern;
}

}  // namespace

extern "C" {

int32_t kg_bsr_abi(void) { return KG_BSR_ABI; }

const char* kg_bsr_last_error(void) { return last_error.c_str(); }

kg_bsr_status kg_bsr_plan_create(const kg_bsr_pattern* pattern, int32_t n, kg_bsr_type type, kg_bsr_plan** plan) {
  return guarded([&] {
    need(plan != nullptr, "plan");
    *plan = nullptr;
    need(pattern != nullptr, "pattern");
    if (type != KG_BSR_FP16 && type != KG_BSR_BF16) throw std::invalid_argument("type must be fp16 (0) or bf16 (1)");
    BsrMatrix mine = copied(*pattern, n);
    if (const std::string reason = bench::no_device_reason(); !reason.empty()) {
      (void)cudaGetLastError();  // else a later launch is blamed for it
      throw NoDevice(reason);
    }
    need_first_device();
    const DataType data_type = type == KG_BSR_FP16 ? DataType::fp16 : DataType::bf16;
    *plan = std::make_unique<kg_bsr_plan>(kg_bsr_plan{Plan(data_type, std::move(mine), n), {}}).release();
  });
}

void kg_bsr_plan_destroy(kg_bsr_plan* plan) { const std::unique_ptr<kg_bsr_plan> owned(plan); }

kg_bsr_status kg_bsr_plan_pin(kg_bsr_plan* plan, const char* configuration) {
  return guarded([&] {
    need(plan != nullptr, "plan");
    plan->plan.pin(configuration == nullptr ? "" : configuration);
  });
}

kg_bsr_status kg_bsr_plan_bind(kg_bsr_plan* plan, const void* values, const void* b, void* c) {
  return guarded([&] {
    need(plan != nullptr, "plan");
    need_first_device();
    with_tuner([&](autotune::Tuner& tuner) { plan->plan.bind(tuner, values, b, c); });
    plan->decision = to_text(plan->plan.decision());
  });
}

kg_bsr_status kg_bsr_plan_run(kg_bsr_plan* plan, void* stream) {
  return guarded([&] {
    need(plan != nullptr, "plan");
    need_first_device();
    plan->plan.run(static_cast<cudaStream_t>(stream));
  });
}

kg_bsr_status kg_bsr_plan_multiply(kg_bsr_plan* plan, const void* values, const void* b, void* c) {
  return guarded([&] {
    need(plan != nullptr, "plan");
    need_first_device();
    with_tuner([&](autotune::Tuner& tuner) { plan->plan.multiply(tuner, values, b, c); });
    plan->decision = to_text(plan->plan.decision());
  });
}

const char* kg_bsr_plan_configuration(const kg_bsr_plan* plan) {
  return plan == nullptr ? "" : plan->plan.decision().configuration.c_str();
}

const char* kg_bsr_plan_decision(const kg_bsr_plan* plan) { return plan == nullptr ? "" : plan->decision.c_str(); }

}  // extern "C"
