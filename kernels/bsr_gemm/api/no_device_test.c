/* SPDX-License-Identifier: Apache-2.0 */
/* The header is C, and without a GPU every argument is still looked at before the library says that there is none. */
#include "kernels/bsr_gemm/api/kernelgate_bsr.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

static void expect(int holds, const char* what) {
  if (holds) return;
  ++failures;
  printf("FAIL %s; last error: %s\n", what, kg_bsr_last_error());
}

int main(void) {
  const int32_t row_begin[] = {0, 1, 2}, block_column[] = {1, 0};
  kg_bsr_pattern pattern = {64, 64, 32, 32, row_begin, block_column};
  kg_bsr_plan* plan = (kg_bsr_plan*)&pattern;
  expect(kg_bsr_abi() == KG_BSR_ABI, "the library is the header's");
  expect(kg_bsr_plan_create(&pattern, 8, KG_BSR_FP16, &plan) == KG_BSR_NO_DEVICE, "no device is a status of its own");
  expect(strncmp(kg_bsr_last_error(), "no CUDA device can be used: ", 28) == 0, "the message says so");
  expect(plan == NULL, "there is no plan");
  expect(kg_bsr_plan_create(NULL, 8, KG_BSR_FP16, &plan) == KG_BSR_INVALID, "no pattern");
  expect(kg_bsr_plan_create(&pattern, -1, KG_BSR_FP16, &plan) == KG_BSR_INVALID, "n below zero");
  expect(strstr(kg_bsr_last_error(), "n is -1; it may be 0 to") != NULL, "the message says what it may be");
  pattern.block_rows = 48;
  expect(kg_bsr_plan_create(&pattern, 8, KG_BSR_FP16, &plan) == KG_BSR_INVALID, "blocks that do not divide");
  pattern.block_rows = 32;
  pattern.columns = 32;
  expect(kg_bsr_plan_create(&pattern, 8, KG_BSR_FP16, &plan) == KG_BSR_INVALID, "a block outside");
  expect(kg_bsr_plan_create(&pattern, 8, (kg_bsr_type)7, &plan) == KG_BSR_INVALID, "no such type");
  expect(kg_bsr_plan_run(NULL, NULL) == KG_BSR_INVALID, "no plan");
  kg_bsr_plan_destroy(NULL);
  printf(failures == 0 ? "PASS\n" : "FAIL\n");
  return failures == 0 ? 0 : 1;
}
