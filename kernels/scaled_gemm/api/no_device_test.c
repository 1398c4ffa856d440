/* SPDX-License-Identifier: Apache-2.0 */
/* The header is C, and without a GPU every argument is still looked at before the library says that there is none. */
#include "kernels/scaled_gemm/api/kernelgate_scaled.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

static void expect(int holds, const char* what) {
  if (holds) return;
  ++failures;
  printf("FAIL %s; last error: %s\n", what, kg_scaled_last_error());
}

static kg_scaled_problem sound_problem(void* memory) {
  kg_scaled_problem problem = {128,    256,    512,  1, KG_SCALED_BATCHED, 128, memory, memory, memory,
                               memory, memory, NULL, 0};
  return problem;
}

static void test_problems(void* memory, kg_scaled_plan* plan) {
  kg_scaled_problem problem = sound_problem(memory);
  expect(kg_scaled_plan_create(&problem, NULL, &plan) == KG_SCALED_NO_DEVICE, "no device is a status of its own");
  expect(strncmp(kg_scaled_last_error(), "no CUDA device can be used: ", 28) == 0, "the message says so");
  expect(plan == NULL, "there is no plan");
  expect(kg_scaled_plan_create(&problem, "narrow/128x112x2", &plan) == KG_SCALED_NO_DEVICE, "a configuration");
  expect(kg_scaled_plan_create(NULL, NULL, &plan) == KG_SCALED_INVALID, "no problem");
  expect(kg_scaled_plan_create(&problem, "wide/1x1x1", &plan) == KG_SCALED_INVALID, "no such configuration");
  expect(strstr(kg_scaled_last_error(), "wide/256x128x2") != NULL, "the message names those there are");
  problem.n = 24;
  expect(kg_scaled_plan_create(&problem, NULL, &plan) == KG_SCALED_INVALID, "N that is no multiple of 16");
  problem = sound_problem(memory);
  problem.a = (const char*)memory + 8;
  expect(kg_scaled_plan_create(&problem, NULL, &plan) == KG_SCALED_INVALID, "an operand that is not aligned");
  problem = sound_problem(memory);
  problem.grouping = 3;
  expect(kg_scaled_plan_create(&problem, NULL, &plan) == KG_SCALED_INVALID, "no such grouping");
  problem.grouping = KG_SCALED_MASKED;
  expect(kg_scaled_plan_create(&problem, NULL, &plan) == KG_SCALED_INVALID, "groups without their rows");
  problem.groups = (const int32_t*)memory;
  expect(kg_scaled_plan_create(&problem, NULL, &plan) == KG_SCALED_NO_DEVICE, "masked");
  problem.grouping = KG_SCALED_CONTIGUOUS;
  expect(kg_scaled_plan_create(&problem, NULL, &plan) == KG_SCALED_NO_DEVICE, "contiguous");
  expect(kg_scaled_plan_create(&problem, "narrow/128x64x1", &plan) == KG_SCALED_INVALID, "narrow tiles take no groups");
  problem.alignment = 64;
  expect(kg_scaled_plan_create(&problem, NULL, &plan) == KG_SCALED_INVALID, "an alignment that no tile has");
}

static void test_norms(void* memory, kg_scaled_plan* plan) {
  kg_scaled_norm norm = {37, 7168, 1e-6F, memory, memory, memory, memory};
  expect(kg_scaled_plan_create_norm(&norm, &plan) == KG_SCALED_NO_DEVICE, "a norm");
  norm.columns = 20000;
  expect(kg_scaled_plan_create_norm(&norm, &plan) == KG_SCALED_INVALID, "more columns than a block holds");
  norm.columns = 128;
  norm.gain = NULL;
  expect(kg_scaled_plan_create_norm(&norm, &plan) == KG_SCALED_INVALID, "no gain");
}

int main(void) {
  static double aligned[8];
  void* memory = (void*)(((uintptr_t)aligned + 15) / 16 * 16);
  expect(kg_scaled_abi() == KG_SCALED_ABI, "the library is the header's");
  expect(kg_scaled_a_pitch(128) == 128 && kg_scaled_a_pitch(37) == 40, "scales in steps of four");
  test_problems(memory, (kg_scaled_plan*)memory);
  test_norms(memory, (kg_scaled_plan*)memory);
  expect(kg_scaled_plan_run(NULL, NULL) == KG_SCALED_INVALID, "no plan to run");
  kg_scaled_plan_destroy(NULL);
  printf(failures == 0 ? "PASS\n" : "FAIL\n");
  return failures == 0 ? 0 : 1;
}
