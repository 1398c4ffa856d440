/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KERNELGATE_ATTENTION_H
#define KERNELGATE_ATTENTION_H

/*
 * Attention forward on an NVIDIA card: O = softmax(scale Q K^T + mask) V for each head, fp16 or bf16, sums in fp32.
 *
 *   kg_attention_plan* plan;
 *   kg_attention_plan_create(&problem, NULL, &plan);   pointers of the card; NULL: a configuration by the shape
 *   kg_attention_plan_run(plan, stream);               as often as wanted; the values may have changed
 *   kg_attention_plan_destroy(plan);
 *
 * Every function that can fail gives a status and leaves a message for kg_attention_last_error. Nothing ends the
 * process. Runs of one plan must follow each other: they share a counter. A plan belongs to one thread at a time and
 * to the device that was current when it was created; the operands must live as long as it runs.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KG_ATTENTION_ABI 1 /* changes when a program must be compiled anew */

typedef enum kg_attention_status {
  KG_ATTENTION_OK = 0,
  KG_ATTENTION_INVALID = 1,   /* an argument: the message says which, and what it may be */
  KG_ATTENTION_NO_DEVICE = 2, /* no card can be used */
  KG_ATTENTION_FAILED = 3,    /* CUDA, or a card without the instructions that the configuration needs */
  KG_ATTENTION_NO_MEMORY = 4  /* of the host or of the card */
} kg_attention_status;

typedef enum kg_attention_type { KG_ATTENTION_FP16 = 0, KG_ATTENTION_BF16 = 1 } kg_attention_type;

/* Elements from one batch, head and row to the next, multiples of 8; a row's elements follow each other. */
typedef struct kg_attention_strides {
  int64_t batch, head, row;
} kg_attention_strides;

/* Pointers of the card, to multiples of 16 bytes. Rows that see no key become zero. */
typedef struct kg_attention_problem {
  int32_t type;             /* a kg_attention_type */
  int32_t batch, heads;     /* of queries */
  int32_t key_heads;        /* divides heads: heads / key_heads of them share keys and values */
  int32_t queries, keys;    /* rows of each head */
  int32_t depth;            /* columns of a head: 64, 128 or 256 */
  int32_t causal, diagonal; /* causal is not 0: row i sees keys up to i + diagonal */
  float scale;              /* above zero; usually 1 / sqrt(depth) */
  const void *q, *k, *v;
  void* o;
  kg_attention_strides q_strides, k_strides, v_strides, o_strides;
} kg_attention_problem;

typedef struct kg_attention_plan kg_attention_plan;

/* KG_ATTENTION_ABI of the library that is loaded. */
int32_t kg_attention_abi(void);

/* What went wrong in this thread's last call that failed; never NULL. Valid until its next call. */
const char* kg_attention_last_error(void);

/* `configuration` is one such as "wgmma/128x128", or NULL. Not while a stream is being captured. */
kg_attention_status kg_attention_plan_create(const kg_attention_problem* problem, const char* configuration,
                                             kg_attention_plan** plan);
void kg_attention_plan_destroy(kg_attention_plan* plan); /* NULL is let through */

/* What the plan runs; valid as long as it lives. */
const char* kg_attention_plan_configuration(const kg_attention_plan* plan);

/* Enqueues on a cudaStream_t; NULL is the default stream. May be captured into a graph. */
kg_attention_status kg_attention_plan_run(const kg_attention_plan* plan, void* stream);

#ifdef __cplusplus
}
#endif

#endif
