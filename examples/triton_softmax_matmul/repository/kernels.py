# SPDX-License-Identifier: Apache-2.0
"""Softmax of rows and a product of matrices, in Triton."""

import triton
import triton.language as tl

BLOCK_M, BLOCK_N, BLOCK_K = 128, 128, 64


@triton.jit
def softmax_kernel(out, x, columns, BLOCK: tl.constexpr):
    at = tl.program_id(0) * columns + tl.arange(0, BLOCK)
    inside = tl.arange(0, BLOCK) < columns
    values = tl.load(x + at, mask=inside, other=-float("inf")).to(tl.float32)
    parts = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + at, parts / tl.sum(parts, axis=0), mask=inside)


@triton.jit
def matmul_kernel(c, a, b, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_at = a + m[:, None] * K + k[None, :]
    b_at = b + k[:, None] * N + n[None, :]
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for _ in range(0, K, BLOCK_K):
        total = tl.dot(tl.load(a_at), tl.load(b_at), total)
        a_at += BLOCK_K
        b_at += BLOCK_K * N
    tl.store(c + m[:, None] * N + n[None, :], total.to(tl.float16))


def softmax(out, x):
    """Of each row of a contiguous matrix."""
    rows, columns = x.shape
    softmax_kernel[(rows,)](out, x, columns, BLOCK=triton.next_power_of_2(columns), num_warps=8)
    return out


def matmul(c, a, b):
    """c = a b: contiguous, half precision, sizes that the blocks divide."""
    (rows, inner), columns = a.shape, b.shape[1]
    grid = (rows // BLOCK_M, columns // BLOCK_N)
    matmul_kernel[grid](
        c, a, b, columns, inner, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, BLOCK_K=BLOCK_K, num_warps=8, num_stages=3
    )
    return c
