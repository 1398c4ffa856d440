#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no code of a released program was compiled at -O0: optimised_test.py PROGRAM.

A file at -O0 brings unoptimised copies of shared inline functions, and the linker keeps whichever comes first for the
whole program. The compiler records its options in the section .GCC.command.line (-frecord-gcc-switches).
"""
import re
import subprocess
import sys


def recorded_options(program):
    """The option lists that the program's files were compiled with."""
    done = subprocess.run(["readelf", "-p", ".GCC.command.line", program], capture_output=True, text=True, check=True)
    return re.findall(r"^ *\[ *[0-9a-f]+\] +(.+)$", done.stdout, re.M)


def main():
    options = recorded_options(sys.argv[1])
    ours = [line for line in options if line.startswith("GNU C++20")]
    slow = [line for line in options if not re.search(r" -O[23]\b", line) or re.search(r" -O[01]\b", line)]
    for line in slow:
        print(f"not optimised: {line}")
    if not ours:
        print(f"{sys.argv[1]} does not say how it was compiled")
    return 1 if slow or not ours else 0


if __name__ == "__main__":
    sys.exit(main())
