#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Milliseconds of processor time that SciPy and NumPy take for what core/stats/stats_bench.cpp times, a line for each
repeat: U with p, Cliff's delta with its interval, the Hodges-Lehmann estimate of paired differences with its interval;
1,000 values a side.

SciPy has the U test; the other two are written as NumPy does them best: whole matrices, and a partial sort for the
order statistics of the sums. Usage: speed_scipy.py [REPEATS]
"""
import sys
import time

import numpy as np
from scipy import stats

N = 1000


def cliffs_delta(a, b):
    m, n = len(a), len(b)
    s = np.sign(np.subtract.outer(b, a))
    d = s.mean()
    rows, columns = s.mean(0) - d, s.mean(1) - d
    v = (n**2 * (rows @ rows) + m**2 * (columns @ columns) - ((s - d)**2).sum()) / (m * n * (m - 1) * (n - 1))
    z = stats.t.ppf(.975, m + n - 2)
    spread = z * np.sqrt(v) * np.sqrt((1 - d**2)**2 + z**2 * v)
    return d, (d - d**3 - spread) / (1 - d**2 + z**2 * v), (d - d**3 + spread) / (1 - d**2 + z**2 * v)


def hodges_lehmann(d):
    n = len(d)
    count = n * (n + 1) // 2
    k = int(count / 2 - stats.norm.ppf(.975) * np.sqrt(n * (n + 1) * (2 * n + 1) / 24))
    ranks = (k - 1, (count - 1) // 2, count // 2, count - k)
    sums = np.partition(np.add.outer(d, d)[np.triu_indices(n)], ranks)
    return sums[list(ranks)] / 2


def main():
    rng = np.random.default_rng(20261121)
    a, b = rng.normal(0, 1, N), rng.normal(.1, 1, N)
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 10):
        times = []
        for work in (lambda: stats.mannwhitneyu(b, a, method="asymptotic"), lambda: cliffs_delta(a, b),
                     lambda: hodges_lehmann(b - a)):
            start = time.process_time()
            work()
            times.append(1e3 * (time.process_time() - start))
        print(" ".join(f"{t:.4f}" for t in times))


if __name__ == "__main__":
    main()
