# SPDX-License-Identifier: Apache-2.0
"""Attention forward of libkernelgate_attention.so for torch tensors, without a copy.

    plan = Attention(q, k, v, causal=True)   # (batch, heads, size, depth), fp16 or bf16, any strides in steps of 8
    plan.run()                               # on torch's current stream; also while a CUDA graph is captured
    plan.out                                 # the result, laid out as q

`packed=Packed(...)` takes sequences one behind the other, (rows, heads, depth), and `blocks=Blocks(...)` a pattern of
blocks of keys. `scaled_dot_product_attention` and `varlen_attention` create and run once. KERNELGATE_ATTENTION_LIBRARY
names the library's file."""

import ctypes
import math
import os

ABI = 1
_POINTER, _INT = ctypes.c_void_p, ctypes.c_int32


class AttentionError(RuntimeError):
    """What the library says; `status` is its number: 1 an argument, 2 no GPU, 3 CUDA, 4 memory."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class _Strides(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("batch", "head", "row")]


class _Problem(ctypes.Structure):
    _fields_ = ([(name, _INT) for name in ("type", "batch", "heads", "key_heads", "queries", "keys", "depth", "causal",
                                           "diagonal")]
                + [("scale", ctypes.c_float)] + [(name, _POINTER) for name in ("q", "k", "v", "o")]
                + [(name + "_strides", _Strides) for name in ("q", "k", "v", "o")])


class _PackedOffsets(ctypes.Structure):
    _fields_ = [("query_offsets", _POINTER), ("key_offsets", _POINTER), ("longest_queries", _INT),
                ("longest_keys", _INT)]


class _BlockPattern(ctypes.Structure):
    _fields_ = ([("offsets", _POINTER), ("blocks", _POINTER)]
                + [(name, _INT) for name in ("rows", "columns", "per_head", "per_batch")])


def _load():
    path = os.environ.get("KERNELGATE_ATTENTION_LIBRARY", "libkernelgate_attention.so")
    library = ctypes.CDLL(path)
    library.kg_attention_last_error.restype = ctypes.c_char_p
    library.kg_attention_plan_configuration.restype = ctypes.c_char_p
    library.kg_attention_plan_configuration.argtypes = [_POINTER]
    problem, name, plan = ctypes.POINTER(_Problem), ctypes.c_char_p, ctypes.POINTER(_POINTER)
    library.kg_attention_plan_create.argtypes = [problem, name, plan]
    library.kg_attention_plan_create_packed.argtypes = [problem, ctypes.POINTER(_PackedOffsets), name, plan]
    library.kg_attention_plan_create_sparse.argtypes = [problem, ctypes.POINTER(_BlockPattern), name, plan]
    library.kg_attention_plan_run.argtypes = [_POINTER, _POINTER]
    library.kg_attention_plan_destroy.argtypes = [_POINTER]
    library.kg_attention_plan_destroy.restype = None
    if library.kg_attention_abi() != ABI:
        raise ImportError(f"{path} has another ABI than {ABI}")
    return library


_library = _load()


def _check(status):
    if status:
        raise AttentionError(status, _library.kg_attention_last_error().decode())


def _strides(tensor):
    batch, head, row, column = tensor.stride()
    if column != 1 and tensor.shape[3] > 1:
        raise ValueError("the columns of a row must follow each other")
    return _Strides(batch, head, row)


def _need_int32(*tensors):
    for tensor in tensors:
        if str(tensor.dtype) != "torch.int32" or not tensor.is_cuda or not tensor.is_contiguous():
            raise ValueError("offsets and blocks are contiguous int32 tensors on the GPU")


class Packed:
    """Offsets of packed sequences, as FlashAttention's cu_seqlens: sequence i has rows offsets[i] to offsets[i + 1].

    They may be overwritten between runs as long as no sequence exceeds the longest ones. Causal: the last query of a
    sequence sees all of its keys."""

    def __init__(self, query_offsets, key_offsets, longest_queries, longest_keys):
        _need_int32(query_offsets, key_offsets)
        if query_offsets.numel() != key_offsets.numel() or query_offsets.numel() < 2:
            raise ValueError("there are as many offsets of queries as of keys, and at least two")
        self.sequences, self._tensors = query_offsets.numel() - 1, (query_offsets, key_offsets)
        self.given = _PackedOffsets(query_offsets.data_ptr(), key_offsets.data_ptr(), longest_queries, longest_keys)


class Blocks:
    """The blocks of keys that each block of queries sees: a tensor of truth (..., query blocks, key blocks), with heads
    before them where these differ, and the batch before the heads."""

    def __init__(self, mask, rows=128, columns=128):
        self.shape, self.rows, self.columns = tuple(mask.shape), rows, columns
        if not 2 <= mask.dim() <= 4 or not mask.is_cuda:
            raise ValueError("a mask of blocks has two to four dimensions, and is on the GPU")
        flat = mask.reshape(-1, mask.shape[-1]) != 0
        offsets = flat.new_zeros(flat.shape[0] + 1, dtype=flat.sum().dtype)
        offsets[1:] = flat.sum(1).cumsum(0)
        # An empty list still has an address.
        blocks = flat.new_full((int(offsets[-1]) + 1,), 0, dtype=offsets.dtype)
        blocks[:-1] = flat.nonzero()[:, 1]
        self.offsets, self.blocks = offsets.int(), blocks.int()

    def given(self, q, k):
        """For these operands."""
        batch, heads, queries, _ = q.shape
        leading = self.shape[:-2]
        whole = (-(-queries // self.rows), -(-k.shape[2] // self.columns))
        if self.shape[-2:] != whole or leading not in ((), (heads,), (batch, heads), (batch, 1), (1, heads), (1, 1)):
            raise ValueError(f"a mask for these operands has {whole} blocks, behind heads and batch where it has those")
        per_head = bool(leading) and leading[-1] == heads and heads > 1
        per_batch = len(leading) == 2 and leading[0] == batch and batch > 1
        return _BlockPattern(self.offsets.data_ptr(), self.blocks.data_ptr(), self.rows, self.columns, per_head,
                             per_batch)


def _need_fitting(q, k, v, out):
    if str(q.dtype) not in ("torch.float16", "torch.bfloat16") or k.dtype != q.dtype or v.dtype != q.dtype:
        raise ValueError("q, k and v must all be float16 or all bfloat16")
    if q.dim() != 4 or k.shape != v.shape or k.shape[0] != q.shape[0] or k.shape[3] != q.shape[3]:
        raise ValueError("q is (batch, heads, size, depth), k and v are (batch, key heads, keys, depth)")
    if out.shape != q.shape or out.dtype != q.dtype:
        raise ValueError("out must have the shape and the type of q")
    if not all(tensor.is_cuda for tensor in (q, k, v, out)):
        raise ValueError("the tensors must be on the GPU")


class Attention:
    """A plan for these tensors, which it keeps alive. Runs of one plan must follow each other."""

    def __init__(self, q, k, v, causal=False, scale=None, diagonal=0, out=None, configuration=None, packed=None,
                 blocks=None):
        import torch
        self.out = torch.empty_like(q) if out is None else out
        self._tensors, self._torch, self._plan = (q, k, v, packed, blocks), torch, _POINTER()
        whole = [q, k, v, self.out]
        if packed is not None:  # (rows, heads, depth), as one batch
            whole = [tensor.transpose(0, 1).unsqueeze(0) for tensor in whole]
        _need_fitting(*whole)
        (batch, heads, queries, depth), (_, key_heads, keys, _) = whole[0].shape, whole[1].shape
        problem = _Problem(int(q.dtype == torch.bfloat16), packed.sequences if packed is not None else batch, heads,
                           key_heads, queries, keys, depth, int(causal), diagonal,
                           1 / math.sqrt(depth) if scale is None else scale,
                           *(tensor.data_ptr() for tensor in whole), *(_strides(tensor) for tensor in whole))
        last = (None if configuration is None else configuration.encode(), ctypes.byref(self._plan))
        if packed is not None:
            _check(_library.kg_attention_plan_create_packed(ctypes.byref(problem), ctypes.byref(packed.given), *last))
        elif blocks is not None:
            given = blocks.given(q, k)
            _check(_library.kg_attention_plan_create_sparse(ctypes.byref(problem), ctypes.byref(given), *last))
        else:
            _check(_library.kg_attention_plan_create(ctypes.byref(problem), *last))

    @property
    def configuration(self):
        return _library.kg_attention_plan_configuration(self._plan).decode()

    def run(self, stream=None):
        """Enqueues on `stream`, torch's current one by default, and returns `out`."""
        stream = stream or self._torch.cuda.current_stream()
        _check(_library.kg_attention_plan_run(self._plan, _POINTER(stream.cuda_stream)))
        return self.out

    def __del__(self):
        plan = getattr(self, "_plan", None)
        if plan:
            _library.kg_attention_plan_destroy(plan)


def _run_once(plan):
    plan.run()
    plan._torch.cuda.current_stream().synchronize()
    return plan.out


def scaled_dot_product_attention(q, k, v, is_causal=False, scale=None):
    """As torch's, without a mask and dropout. Waits for the result: keep an Attention to run it often."""
    return _run_once(Attention(q, k, v, causal=is_causal, scale=scale))


def varlen_attention(q, k, v, cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k, causal=False, scale=None):
    """Packed sequences, as FlashAttention's varlen functions take them: q is (rows, heads, depth). Waits."""
    packed = Packed(cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k)
    return _run_once(Attention(q, k, v, causal=causal, scale=scale, packed=packed))
