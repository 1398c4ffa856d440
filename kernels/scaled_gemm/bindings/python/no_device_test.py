#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Without a GPU and without torch: the library loads, its structure fits, and its errors come as exceptions."""
import ctypes
import sys

import kernelgate_scaled as scaled

MEMORY = (ctypes.c_char * 64)()
ADDRESS = (ctypes.addressof(MEMORY) + 15) // 16 * 16


def status_of(configuration=None, **changes):
    problem = scaled._Problem(128, 256, 512, 1, scaled.BATCHED, 128, *[ADDRESS] * 5, None, 0)
    for name, value in changes.items():
        setattr(problem, name, value)
    plan = ctypes.c_void_p()
    try:
        scaled._check(scaled._library.kg_scaled_plan_create(ctypes.byref(problem), configuration, ctypes.byref(plan)))
    except scaled.ScaledError as error:
        return error.status, str(error)
    return 0, ""


def main():
    wrong = [str(got) for got, status, text in (
        (status_of(), 2, "no CUDA device can be used"),
        (status_of(b"narrow/128x128x2"), 2, "no CUDA device can be used"),
        (status_of(b"no/such"), 1, "there are wide/256x128x2"),
        (status_of(n=24), 1, "multiples of 16"),
        (status_of(matrices=0), 1, "at least 1"),
        (status_of(grouping=9), 1, "grouping is 9"),
        (status_of(grouping=scaled.MASKED), 1, "groups is missing"),
        (status_of(grouping=scaled.CONTIGUOUS, groups=ADDRESS, alignment=64), 1, "128 or 256 rows"),
        (status_of(b_scales=None), 1, "b_scales is missing"),
        (status_of(c=ADDRESS + 2), 1, "c does not lie"),
    ) if got[0] != status or text not in got[1]]
    if (scaled.pitch(128), scaled.pitch(37)) != (128, 40):
        wrong.append("pitch")
    print("\n".join(wrong) or "PASS")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
