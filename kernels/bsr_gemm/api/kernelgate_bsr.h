/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KERNELGATE_BSR_H
#define KERNELGATE_BSR_H

/*
 * Block-sparse times dense on an NVIDIA card: C = A B, with A in BSR form and B, C row by row, all of one 16-bit type.
 * Sums are kept in fp32 and rounded once. The kernel is chosen by measuring when a plan is bound first, and remembered.
 *
 * A plan is for one pattern, one number of columns of B and one type:
 *
 *   kg_bsr_plan* plan;
 *   kg_bsr_plan_create(&pattern, n, KG_BSR_FP16, &plan);    copies the pattern
 *   kg_bsr_plan_bind(plan, values, b, c);                   pointers of the GPU; chooses the kernel
 *   kg_bsr_plan_run(plan, stream);                          as often as wanted; B may have changed
 *   kg_bsr_plan_destroy(plan);
 *
 * Every function that can fail gives a status and leaves a message for kg_bsr_last_error. Nothing ends the process.
 * Device 0 is used, and must be the calling thread's current one; CUDA_VISIBLE_DEVICES says which GPU that is.
 * A plan belongs to one thread at a time; different plans may be used by different threads.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KG_BSR_ABI 1 /* changes when a program must be compiled anew */

typedef enum kg_bsr_status {
  KG_BSR_OK = 0,
  KG_BSR_INVALID = 1,   /* an argument: the message says which, and what it may be */
  KG_BSR_NO_DEVICE = 2, /* no GPU can be used */
  KG_BSR_FAILED = 3,    /* CUDA or one of its libraries */
  KG_BSR_NO_MEMORY = 4  /* of the host or of the GPU */
} kg_bsr_status;

typedef enum kg_bsr_type { KG_BSR_FP16 = 0, KG_BSR_BF16 = 1 } kg_bsr_type;

/*
 * Where A has blocks; memory of the host, which is copied. The blocks of block row i are those from row_begin[i] to
 * row_begin[i + 1], and block_column has the block column of each, ascending within a block row. Blocks divide A.
 */
typedef struct kg_bsr_pattern {
  int32_t rows, columns;             /* of A */
  int32_t block_rows, block_columns; /* of one block */
  const int32_t* row_begin;          /* rows / block_rows + 1 of them */
  const int32_t* block_column;       /* row_begin[rows / block_rows] of them */
} kg_bsr_pattern;

typedef struct kg_bsr_plan kg_bsr_plan;

/* KG_BSR_ABI of the library that is loaded. */
int32_t kg_bsr_abi(void);

/* What went wrong in this thread's last call that failed; never NULL. Valid until its next call. */
const char* kg_bsr_last_error(void);

/* `n` is the number of columns of B and C. */
kg_bsr_status kg_bsr_plan_create(const kg_bsr_pattern* pattern, int32_t n, kg_bsr_type type, kg_bsr_plan** plan);
void kg_bsr_plan_destroy(kg_bsr_plan* plan); /* NULL is let through */

/*
 * Takes a configuration, such as "wgmma/64x512x64" or "dense", in place of measuring, from the next bind on. NULL or "":
 * choose again. One that does not take the problem makes that bind fail.
 */
kg_bsr_status kg_bsr_plan_pin(kg_bsr_plan* plan, const char* configuration);

/*
 * Pointers of the GPU, to multiples of 16 bytes: `values` has the blocks one after the other, each row by row; B is
 * columns x n, C rows x n. The first bind of a problem measures, which takes up to about a second; later ones, also of
 * other processes, remember (KG_TUNER_CACHE names the file). Not while a stream is being captured. Some kernels read
 * `values` here: bind again after changing them. All three must live while the plan is bound.
 */
kg_bsr_status kg_bsr_plan_bind(kg_bsr_plan* plan, const void* values, const void* b, void* c);

/* Enqueues the product on a cudaStream_t; NULL is the default stream. May be captured into a graph. */
kg_bsr_status kg_bsr_plan_run(kg_bsr_plan* plan, void* stream);

/* The whole product with memory of the host: copies, binds, runs, copies back, and leaves the plan unbound. */
kg_bsr_status kg_bsr_plan_multiply(kg_bsr_plan* plan, const void* values, const void* b, void* c);

/* What the last bind chose; "" before the first. Valid until the next call with this plan. */
const char* kg_bsr_plan_configuration(const kg_bsr_plan* plan);

/* How it was chosen, as a table for people: each candidate, predicted and measured time, and what became of it. */
const char* kg_bsr_plan_decision(const kg_bsr_plan* plan);

#ifdef __cplusplus
}
#endif

#endif
