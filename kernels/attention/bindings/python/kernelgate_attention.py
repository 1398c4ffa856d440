# SPDX-License-Identifier: Apache-2.0
"""Attention forward of libkernelgate_attention.so for torch tensors, without a copy.

    plan = Attention(q, k, v, causal=True)   # (batch, heads, size, depth), fp16 or bf16, any strides in steps of 8
    plan.run()                               # on torch's current stream; also while a CUDA graph is captured
    plan.out                                 # the result, laid out as q

`scaled_dot_product_attention` does both once. KERNELGATE_ATTENTION_LIBRARY names the library's file."""

import ctypes
import math
import os

ABI = 1
_POINTER, _INT = ctypes.c_void_p, ctypes.c_int32


class AttentionError(RuntimeError):
    """What the library says; `status` is its number: 1 an argument, 2 no card, 3 CUDA, 4 memory."""

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


def _load():
    path = os.environ.get("KERNELGATE_ATTENTION_LIBRARY", "libkernelgate_attention.so")
    library = ctypes.CDLL(path)
    library.kg_attention_last_error.restype = ctypes.c_char_p
    library.kg_attention_plan_configuration.restype = ctypes.c_char_p
    library.kg_attention_plan_configuration.argtypes = [_POINTER]
    library.kg_attention_plan_create.argtypes = [ctypes.POINTER(_Problem), ctypes.c_char_p, ctypes.POINTER(_POINTER)]
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


class Attention:
    """A plan for these tensors, which it keeps alive. Runs of one plan must follow each other."""

    def __init__(self, q, k, v, causal=False, scale=None, diagonal=0, out=None, configuration=None):
        import torch
        if q.dtype not in (torch.float16, torch.bfloat16) or k.dtype != q.dtype or v.dtype != q.dtype:
            raise ValueError("q, k and v must all be float16 or all bfloat16")
        if q.dim() != 4 or k.shape != v.shape or k.shape[0] != q.shape[0] or k.shape[3] != q.shape[3]:
            raise ValueError("q is (batch, heads, size, depth), k and v are (batch, key heads, keys, depth)")
        self.out = torch.empty_like(q) if out is None else out
        if self.out.shape != q.shape or self.out.dtype != q.dtype:
            raise ValueError("out must have the shape and the type of q")
        if not all(tensor.is_cuda for tensor in (q, k, v, self.out)):
            raise ValueError("the tensors must be on the card")
        self._tensors, self._torch, self._plan = (q, k, v), torch, _POINTER()
        batch, heads, queries, depth = q.shape
        problem = _Problem(int(q.dtype == torch.bfloat16), batch, heads, k.shape[1], queries, k.shape[2], depth,
                           int(causal), diagonal, 1 / math.sqrt(depth) if scale is None else scale,
                           *(tensor.data_ptr() for tensor in (q, k, v, self.out)),
                           *(_strides(tensor) for tensor in (q, k, v, self.out)))
        name = None if configuration is None else configuration.encode()
        _check(_library.kg_attention_plan_create(ctypes.byref(problem), name, ctypes.byref(self._plan)))

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


def scaled_dot_product_attention(q, k, v, is_causal=False, scale=None):
    """As torch's, without a mask and dropout. Waits for the result: keep an Attention to run it often."""
    plan = Attention(q, k, v, causal=is_causal, scale=scale)
    plan.run().record_stream(plan._torch.cuda.current_stream())
    plan._torch.cuda.current_stream().synchronize()
    return plan.out
