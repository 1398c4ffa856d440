/* SPDX-License-Identifier: Apache-2.0 */
/* The header is C, and without a GPU every argument is still looked at before the library says that there is none. */
#include "kernels/attention/api/kernelgate_attention.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

static void expect(int holds, const char* what) {
  if (holds) return;
  ++failures;
  printf("FAIL %s; last error: %s\n", what, kg_attention_last_error());
}

static kg_attention_problem sound_problem(void* memory) {
  const kg_attention_strides strides = {2 * 128 * 64, 128 * 64, 64};
  kg_attention_problem problem = {
      KG_ATTENTION_FP16, 1,       2,       2,      128, 128, 64, 0, 0, 0.125F, memory, memory, memory, memory,
      strides,           strides, strides, strides};
  return problem;
}

int main(void) {
  static double aligned[4];
  void* memory = (void*)(((uintptr_t)aligned + 15) / 16 * 16);
  kg_attention_plan* plan = (kg_attention_plan*)memory;
  kg_attention_problem problem = sound_problem(memory);
  expect(kg_attention_abi() == KG_ATTENTION_ABI, "the library is the header's");
  expect(kg_attention_plan_create(&problem, NULL, &plan) == KG_ATTENTION_NO_DEVICE, "no device is a status of its own");
  expect(strncmp(kg_attention_last_error(), "no CUDA device can be used: ", 28) == 0, "the message says so");
  expect(plan == NULL, "there is no plan");
  expect(kg_attention_plan_create(NULL, NULL, &plan) == KG_ATTENTION_INVALID, "no problem");
  expect(kg_attention_plan_create(&problem, "wgmma/1x1", &plan) == KG_ATTENTION_INVALID, "no such configuration");
  expect(strstr(kg_attention_last_error(), "wgmma/128x128") != NULL, "the message names those there are");
  problem.key_heads = 3;
  expect(kg_attention_plan_create(&problem, NULL, &plan) == KG_ATTENTION_INVALID, "heads that keys do not divide");
  problem = sound_problem(memory);
  expect(kg_attention_plan_create(&problem, "wgmma/128x128", &plan) == KG_ATTENTION_NO_DEVICE,
         "a name that two depths have");
  problem.depth = 80;
  expect(kg_attention_plan_create(&problem, NULL, &plan) == KG_ATTENTION_INVALID, "a depth that no kernel has");
  problem = sound_problem(memory);
  problem.k_strides.row = 65;
  expect(kg_attention_plan_create(&problem, NULL, &plan) == KG_ATTENTION_INVALID, "a stride that is no multiple of 8");
  problem = sound_problem(memory);
  problem.v = NULL;
  expect(kg_attention_plan_create(&problem, NULL, &plan) == KG_ATTENTION_INVALID, "no values");
  problem = sound_problem(memory);
  problem.type = 7;
  expect(kg_attention_plan_create(&problem, NULL, &plan) == KG_ATTENTION_INVALID, "no such type");
  problem = sound_problem(memory);
  kg_attention_packed packed = {memory, memory, 128, 128};
  kg_attention_blocks blocks = {memory, memory, 128, 64, 1, 0};
  expect(kg_attention_plan_create_packed(&problem, &packed, NULL, &plan) == KG_ATTENTION_NO_DEVICE, "packed");
  expect(kg_attention_plan_create_sparse(&problem, &blocks, "wgmma/sparse/128x64", &plan) == KG_ATTENTION_NO_DEVICE,
         "sparse");
  expect(kg_attention_plan_create_packed(&problem, &packed, "wgmma/128x128", &plan) == KG_ATTENTION_INVALID,
         "a configuration of another layout");
  expect(kg_attention_plan_create_packed(&problem, NULL, NULL, &plan) == KG_ATTENTION_INVALID, "no offsets");
  packed.longest_keys = 0;
  expect(kg_attention_plan_create_packed(&problem, &packed, NULL, &plan) == KG_ATTENTION_INVALID, "no longest keys");
  blocks.columns = 32;
  expect(kg_attention_plan_create_sparse(&problem, &blocks, NULL, &plan) == KG_ATTENTION_INVALID, "blocks of 32 keys");
  blocks.columns = 64;
  blocks.rows = 64;
  expect(kg_attention_plan_create_sparse(&problem, &blocks, NULL, &plan) == KG_ATTENTION_INVALID,
         "blocks of 64 queries");
  expect(kg_attention_plan_run(NULL, NULL) == KG_ATTENTION_INVALID, "no plan to run");
  kg_attention_plan_destroy(NULL);
  printf(failures == 0 ? "PASS\n" : "FAIL\n");
  return failures == 0 ? 0 : 1;
}
