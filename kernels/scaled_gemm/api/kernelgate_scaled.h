/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KERNELGATE_SCALED_H
#define KERNELGATE_SCALED_H

/*
 * Block-scaled products on an NVIDIA Hopper GPU: C = (A scaled) (B scaled)^T, e4m3 operands, fp32 scales of 1 x 128 for
 * A and 128 x 128 for B, bf16 out; and RMSNorm with the quantisation that A needs.
 *
 *   kg_scaled_plan* plan;
 *   kg_scaled_plan_create(&problem, NULL, &plan);   pointers of the GPU; NULL: a configuration by the shape
 *   kg_scaled_plan_run(plan, stream);               as often as wanted; the values may have changed
 *   kg_scaled_plan_destroy(plan);
 *
 * Every function that can fail gives a status and leaves a message for kg_scaled_last_error. Nothing ends the process.
 * A plan belongs to one thread at a time and to the device that was current when it was created; the operands must live
 * as long as it runs.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KG_SCALED_ABI 1 /* changes when a program must be compiled anew */

typedef enum kg_scaled_status {
  KG_SCALED_OK = 0,
  KG_SCALED_INVALID = 1,   /* an argument: the message says which, and what it may be */
  KG_SCALED_NO_DEVICE = 2, /* no GPU can be used */
  KG_SCALED_FAILED = 3,    /* CUDA, or a GPU without the instructions that the configuration needs */
  KG_SCALED_NO_MEMORY = 4  /* of the host or of the GPU */
} kg_scaled_status;

/* BATCHED: `matrices` products of one shape. CONTIGUOUS: the rows of all groups in one A and C of m rows; groups[i]
 * says whose the rows from i * alignment on are, below 0: nobody's, C is left as it is there. MASKED: an A and a C of m
 * rows for each group, of which the first groups[i] count; C may be written behind them. */
typedef enum kg_scaled_grouping {
  KG_SCALED_BATCHED = 0,
  KG_SCALED_CONTIGUOUS = 1,
  KG_SCALED_MASKED = 2
} kg_scaled_grouping;

/* Pointers of the GPU, to multiples of 16 bytes. */
typedef struct kg_scaled_problem {
  int32_t m, n, k;       /* n and k are multiples of 16 */
  int32_t matrices;      /* or groups; at least 1 */
  int32_t grouping;      /* a kg_scaled_grouping */
  int32_t alignment;     /* of contiguous groups: 128 or 256 rows; else not looked at */
  const void *a, *b;     /* e4m3: (matrix, row, k), (matrix, column, k) */
  const float* a_scales; /* (matrix, block of k, row): blocks are kg_scaled_a_pitch(m) floats apart */
  const float* b_scales; /* (matrix, block of columns, block of k) */
  void* c;               /* bf16: (matrix, row, column) */
  const int32_t* groups; /* NULL where batched; read by each run */
  int32_t
      b_is_ready; /* not 0: no work in front of a run on its stream writes B or its scales; they may be read early */
} kg_scaled_problem;

/* y = x / sqrt(mean(x^2) + epsilon) * gain for each row, as e4m3 values with scales that a product takes as A's. */
typedef struct kg_scaled_norm {
  int32_t rows, columns; /* columns: a multiple of 16, at most 16,384 */
  float epsilon;
  const void *x, *gain; /* bf16: (row, column), (column) */
  void* values;         /* e4m3: (row, column) */
  float* scales;        /* (block of columns, row): blocks are kg_scaled_a_pitch(rows) floats apart */
} kg_scaled_norm;

typedef struct kg_scaled_plan kg_scaled_plan;

/* KG_SCALED_ABI of the library that is loaded. */
int32_t kg_scaled_abi(void);

/* What went wrong in this thread's last call that failed; never NULL. Valid until its next call. */
const char* kg_scaled_last_error(void);

/* Floats from one block of k to the next in A's scales. */
int32_t kg_scaled_a_pitch(int32_t rows);

/* `configuration` is one such as "wide/256x128x2", or NULL. Not while a stream is being captured. */
kg_scaled_status kg_scaled_plan_create(const kg_scaled_problem* problem, const char* configuration,
                                       kg_scaled_plan** plan);
kg_scaled_status kg_scaled_plan_create_norm(const kg_scaled_norm* problem, kg_scaled_plan** plan);
void kg_scaled_plan_destroy(kg_scaled_plan* plan); /* NULL is let through */

/* What the plan runs; valid as long as it lives. */
const char* kg_scaled_plan_configuration(const kg_scaled_plan* plan);

/* Enqueues on a cudaStream_t; NULL is the default stream. May be captured into a graph. */
kg_scaled_status kg_scaled_plan_run(const kg_scaled_plan* plan, void* stream);

#ifdef __cplusplus
}
#endif

#endif
