# SPDX-License-Identifier: Apache-2.0
"""Block-scaled e4m3 products of libkernelgate_scaled.so for torch tensors, without a copy.

    plan = ScaledGemm(a, b, a_scales, b_scales)   # a: (m, k), b: (n, k), float8_e4m3fn; or (l, m, k), (l, n, k)
    plan.run()                                    # on torch's current stream; also while a CUDA graph is captured
    plan.out                                      # (m, n) or (l, m, n), bfloat16

`a_scales` are float32 of (blocks of k, pitch(m)), `b_scales` of (blocks of n, blocks of k), blocks of 128, behind l
where there is one; `scales_of_rows` makes the first of torch's (m, blocks of k). `group_of_rows` and `rows_of_group`
(int32 on the GPU) make groups of it: contiguous ones have one a for several b. KERNELGATE_SCALED_LIBRARY names the
library's file."""

import ctypes
import os

ABI = 1
BATCHED, CONTIGUOUS, MASKED = 0, 1, 2
_POINTER, _INT = ctypes.c_void_p, ctypes.c_int32
_BLOCK = 128


class ScaledError(RuntimeError):
    """What the library says; `status` is its number: 1 an argument, 2 no GPU, 3 CUDA, 4 memory."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class _Problem(ctypes.Structure):
    _fields_ = ([(name, _INT) for name in ("m", "n", "k", "matrices", "grouping", "alignment")]
                + [(name, _POINTER) for name in ("a", "b", "a_scales", "b_scales", "c", "groups")]
                + [("b_is_ready", _INT)])


def _load():
    path = os.environ.get("KERNELGATE_SCALED_LIBRARY", "libkernelgate_scaled.so")
    library = ctypes.CDLL(path)
    library.kg_scaled_last_error.restype = ctypes.c_char_p
    library.kg_scaled_plan_configuration.restype = ctypes.c_char_p
    library.kg_scaled_plan_configuration.argtypes = [_POINTER]
    library.kg_scaled_plan_create.argtypes = [ctypes.POINTER(_Problem), ctypes.c_char_p, ctypes.POINTER(_POINTER)]
    library.kg_scaled_plan_run.argtypes = [_POINTER, _POINTER]
    library.kg_scaled_plan_destroy.argtypes = [_POINTER]
    library.kg_scaled_plan_destroy.restype = None
    if library.kg_scaled_abi() != ABI:
        raise ImportError(f"{path} has another ABI than {ABI}")
    return library


_library = _load()


def _check(status):
    if status:
        raise ScaledError(status, _library.kg_scaled_last_error().decode())


def pitch(rows):
    """Floats from one block of k to the next in the scales of so many rows."""
    return _library.kg_scaled_a_pitch(rows)


def scales_of_rows(scales):
    """Of a's scales as (..., m, blocks of k), in any order in memory."""
    rows = scales.shape[-2]
    made = scales.new_zeros(*scales.shape[:-2], scales.shape[-1], pitch(rows))
    made[..., :rows] = scales.transpose(-1, -2)
    return made


def _need(tensor, name, dtype, *shape):
    if str(tensor.dtype) != "torch." + dtype or not tensor.is_cuda or not tensor.is_contiguous():
        raise ValueError(f"{name} must be a contiguous {dtype} tensor on the GPU")
    if tuple(tensor.shape) != shape:
        raise ValueError(f"{name} must have the shape {shape}, not {tuple(tensor.shape)}")


def _blocks(size):
    return -(-size // _BLOCK)


class ScaledGemm:
    """A plan for these tensors, which it keeps alive.

    `b_is_ready`: no work in front of a run on its stream writes b or its scales, so they may be read early."""

    def __init__(self, a, b, a_scales, b_scales, out=None, configuration=None, b_is_ready=False, group_of_rows=None,
                 rows_of_group=None, alignment=128):
        import torch
        if a.dim() not in (2, 3) or b.dim() not in (2, 3):
            raise ValueError("a is (m, k) or (l, m, k), b is (n, k) or (l, n, k)")
        if group_of_rows is not None and rows_of_group is not None:
            raise ValueError("groups are contiguous (group_of_rows) or masked (rows_of_group), not both")
        lead_a, lead_b, (m, k), n = tuple(a.shape[:-2]), tuple(b.shape[:-2]), a.shape[-2:], b.shape[-2]
        grouping = CONTIGUOUS if group_of_rows is not None else MASKED if rows_of_group is not None else BATCHED
        if lead_a != (() if grouping == CONTIGUOUS else lead_b):
            raise ValueError("a and b are as many matrices; a of contiguous groups is one")
        groups = group_of_rows if grouping == CONTIGUOUS else rows_of_group
        _need(a, "a", "float8_e4m3fn", *lead_a, m, k)
        _need(b, "b", "float8_e4m3fn", *lead_b, n, k)
        _need(a_scales, "a_scales", "float32", *lead_a, _blocks(k), pitch(m))
        _need(b_scales, "b_scales", "float32", *lead_b, _blocks(n), _blocks(k))
        if groups is not None:
            _need(groups, "the groups", "int32", *((m // alignment,) if grouping == CONTIGUOUS else lead_b))
        self.out = a.new_empty(*lead_a, m, n, dtype=torch.bfloat16) if out is None else out
        _need(self.out, "out", "bfloat16", *lead_a, m, n)
        self._tensors, self._torch, self._plan = (a, b, a_scales, b_scales, groups), torch, _POINTER()
        problem = _Problem(m, n, k, lead_b[0] if lead_b else 1, grouping, alignment, a.data_ptr(), b.data_ptr(),
                           a_scales.data_ptr(), b_scales.data_ptr(), self.out.data_ptr(),
                           None if groups is None else groups.data_ptr(), b_is_ready)
        name = None if configuration is None else configuration.encode()
        _check(_library.kg_scaled_plan_create(ctypes.byref(problem), name, ctypes.byref(self._plan)))

    @property
    def configuration(self):
        """What the plan runs."""
        return _library.kg_scaled_plan_configuration(self._plan).decode()

    def run(self):
        """Enqueues; the result is in `out`, which is returned."""
        _check(_library.kg_scaled_plan_run(self._plan, self._torch.cuda.current_stream().cuda_stream))
        return self.out

    def __del__(self):
        if getattr(self, "_plan", None):
            _library.kg_scaled_plan_destroy(self._plan)
