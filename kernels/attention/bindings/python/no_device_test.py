#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Without a GPU and without torch: the library loads, its structures fit, and its errors come as exceptions."""
import ctypes
import sys

import kernelgate_attention as attention

MEMORY = (ctypes.c_char * 64)()
ADDRESS = (ctypes.addressof(MEMORY) + 15) // 16 * 16


def status_of(create="create", extra=(), **changes):
    strides = attention._Strides(2 * 128 * 64, 128 * 64, 64)
    problem = attention._Problem(0, 1, 2, 2, 128, 128, 64, 0, 0, 0.125, *[ADDRESS] * 4, *[strides] * 4)
    for name, value in changes.items():
        setattr(problem, name, value)
    plan = ctypes.c_void_p()
    try:
        call = getattr(attention._library, "kg_attention_plan_" + create)
        attention._check(call(ctypes.byref(problem), *map(ctypes.byref, extra), None, ctypes.byref(plan)))
    except attention.AttentionError as error:
        return error.status, str(error)
    return 0, ""


def packed(longest):
    return {"create": "create_packed", "extra": (attention._PackedOffsets(ADDRESS, ADDRESS, longest, longest),)}


def sparse(columns):
    return {"create": "create_sparse", "extra": (attention._BlockPattern(ADDRESS, ADDRESS, 128, columns, 1, 0),)}


def main():
    wrong = [str(got) for got, status, text in (
        (status_of(), 2, "no CUDA device can be used"),
        (status_of(type=7), 1, "type is 7"),
        (status_of(depth=80), 1, "64, 128 or 256"),
        (status_of(key_heads=3), 1, "multiple of the heads of keys"),
        (status_of(scale=0), 1, "above zero"),
        (status_of(q=None), 1, "q is missing"),
        (status_of(**packed(128)), 2, "no CUDA device can be used"),
        (status_of(**packed(0)), 1, "longest sequence"),
        (status_of(**sparse(64)), 2, "no CUDA device can be used"),
        (status_of(**sparse(32)), 1, "multiple of 64 keys"),
    ) if got[0] != status or text not in got[1]]
    print("\n".join(wrong) or "PASS")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
