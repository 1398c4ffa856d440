/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KERNELGATE_ATTENTION_H
#define KERNELGATE_ATTENTION_H

/*
 * Attention forward on an NVIDIA card: O = softmax(scale Q K^T + mask) V for each head, fp16 or bf16, sums in fp32.
 *
 *   kg_attention_plan* plan;
 *   kg_attention_plan_create(&problem, NULL, &plan);   pointers of the GPU; NULL: a configuration by the shape
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
  KG_ATTENTION_NO_DEVICE = 2, /* no GPU can be used */
  KG_ATTENTION_FAILED = 3,    /* CUDA, or a GPU without the instructions that the configuration needs */
  KG_ATTENTION_NO_MEMORY = 4  /* of the host or of the GPU */
} kg_attention_status;

typedef enum kg_attention_type { KG_ATTENTION_FP16 = 0, KG_ATTENTION_BF16 = 1 } kg_attention_type;

/* Elements from one batch, head and row to the next, multiples of 8; a row's elements follow each other. */
typedef struct kg_attention_strides {
  int64_t batch, head, row;
} kg_attention_strides;

/* Pointers of the GPU, to multiples of 16 bytes. Rows that see no key become zero. */
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

/* Sequences one behind the other: sequence i has rows offsets[i] to offsets[i + 1] - 1, which may be none. `problem`
 * has their number as batch, the rows of all together as queries and keys, and strides whose `batch` is not looked at.
 * Causal: row i of a sequence sees keys up to i + its keys - its queries + diagonal, so with a diagonal of 0 the last
 * query sees every key. The offsets are int32 on the GPU and read by each run: they may change between runs as long
 * as the plan's sizes hold. Rows of no sequence are left as they are. */
typedef struct kg_attention_packed {
  const int32_t *query_offsets, *key_offsets; /* batch + 1 of each */
  int32_t longest_queries, longest_keys;      /* no sequence has more */
} kg_attention_packed;

/* Which blocks of keys a block of queries sees, as a BSR matrix without values: its row r has blocks[offsets[r]] to
 * blocks[offsets[r + 1] - 1], ascending, each once. Its rows are the blocks of queries, of each head where per_head is
 * not 0, of each batch where per_batch is not 0 (batch outside, then head). On the GPU, int32, read by each run. A
 * causal mask applies besides. */
typedef struct kg_attention_blocks {
  const int32_t *offsets, *blocks;
  int32_t rows;    /* queries of a block: a multiple of 128; the last block may be cut short */
  int32_t columns; /* keys of a block: a multiple of 64; likewise */
  int32_t per_head, per_batch;
} kg_attention_blocks;

typedef struct kg_attention_plan kg_attention_plan;

/* KG_ATTENTION_ABI of the library that is loaded. */
int32_t kg_attention_abi(void);

/* What went wrong in this thread's last call that failed; never NULL. Valid until its next call. */
const char* kg_attention_last_error(void);

/* `configuration` is one such as "wgmma/128x128", or NULL. Not while a stream is being captured. */
kg_attention_status kg_attention_plan_create(const kg_attention_problem* problem, const char* configuration,
                                             kg_attention_plan** plan);
/* The same with packed sequences, and with a pattern of blocks. */
kg_attention_status kg_attention_plan_create_packed(const kg_attention_problem* problem,
                                                    const kg_attention_packed* packed, const char* configuration,
                                                    kg_attention_plan** plan);
kg_attention_status kg_attention_plan_create_sparse(const kg_attention_problem* problem,
                                                    const kg_attention_blocks* blocks, const char* configuration,
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
