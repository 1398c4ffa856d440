#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: make_scipy.py > scipy.json     (Debian: python3-scipy; made with SciPy 1.10.1, NumPy 1.24.2)

A second independent opinion on the statistics of core/stats, beside make.R's. Where Boost 1.81's packages conflict with
python3-scipy, run it in a root of its own:

    debootstrap --variant=minbase --include=python3-scipy bookworm ROOT
    bwrap --bind ROOT / --dev /dev --proc /proc --tmpfs /tmp --ro-bind . /mnt python3 /mnt/make_scipy.py > scipy.json

The tests read the file and need no SciPy. Statistics were taken out since: a new run draws other values for
benjamini_hochberg.
"""
import json
import sys

import numpy as np
from scipy import special, stats

SCALES = (1e-9, 1.0, 1e9)
rng = np.random.default_rng(20261121)
cases = []


def emit(test, **fields):
    plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in fields.items()}
    cases.append({"test": test, **{n: float(v) if isinstance(v, np.floating) else v for n, v in plain.items()}})


def draw(n, scale=1.0, ties=0):
    x = np.exp(rng.normal(0, .1, n))
    return (np.round(x * ties) / ties if ties else x) * scale


def t_quantile(p, df):
    """By SciPy's incomplete beta function: its t.ppf (1.10) is off by up to 1e-8, R and Boost agree with this."""
    tail = np.sqrt(df * (1 / special.betaincinv(df / 2, .5, 2 * min(p, 1 - p)) - 1))
    return tail if p > .5 else -tail


def quantiles():
    for p in (.5, .8, .95, .99, .9995, 1e-6):
        for df in (1, 2, 4, 9, 17, 31, 63, 1000):
            emit("t_quantile", p=p, degrees=df, value=t_quantile(p, df))
        for df in (1, 3, 5, 7, 11, 15, 40):
            emit("f_quantile", p=p, numerator=df, denominator=15, value=stats.f.ppf(p, df, 15))
    for n in (1, 2, 3, 8, 31):
        for p in (0, .01, .25, 1 / 3, .5, .9, 1):
            x = draw(n, SCALES[n % 3])
            emit("quantile", values=x, p=p, value=np.quantile(x, p))


def mann_whitney():
    for m, n in ((1, 1), (1, 9), (2, 2), (3, 5), (8, 8), (9, 16), (20, 20), (33, 41), (50, 50)):
        for scale in SCALES:
            a, b = draw(m, scale), draw(n, scale) * 1.02
            found = stats.mannwhitneyu(b, a, method="exact")
            emit("mann_whitney", first=a, second=b, u=found.statistic, p=found.pvalue, tolerance=1e-10)
    # Ties and exact: the permutation test over every choice.
    for m, n in ((3, 3), (4, 4), (5, 4), (6, 5)):
        for ties in (4, 8, 16):
            a, b = draw(m, ties=ties), draw(n, ties=ties)
            u = stats.mannwhitneyu(b, a).statistic
            every = stats.permutation_test(
                (b, a), lambda x, y: abs(stats.mannwhitneyu(x, y).statistic - m * n / 2),
                permutation_type="independent", n_resamples=np.inf, alternative="greater")
            emit("mann_whitney", first=a, second=b, u=u, p=every.pvalue, tolerance=1e-10)
    # The normal approximation with both corrections; ours adds one Edgeworth term.
    for m, n, ties, tolerance in ((51, 60, 0, 2e-3), (60, 80, 50, 2e-3), (200, 150, 100, 1e-3), (1000, 1000, 0, 1e-4)):
        a, b = draw(m, ties=ties), draw(n, ties=ties) * 1.01
        found = stats.mannwhitneyu(b, a, method="asymptotic", use_continuity=True)
        emit("mann_whitney", first=a, second=b, u=found.statistic, p=found.pvalue, tolerance=tolerance)


def false_discovery():
    """false_discovery_control came with SciPy 1.11; before, its definition: q(i) = min over j >= i of p(j) n / j."""
    for n in (1, 3, 12, 100):
        p = rng.random(n) ** 3
        if hasattr(stats, "false_discovery_control"):
            q = stats.false_discovery_control(p)
        else:
            order = np.argsort(p)
            q = np.empty(n)
            q[order] = np.minimum(1, np.minimum.accumulate((p[order] * n / np.arange(1, n + 1))[::-1])[::-1])
        emit("benjamini_hochberg", p=p, q=q)


def main():
    for make in (quantiles, mann_whitney, false_discovery):
        make()
    sys.stdout.write("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")


if __name__ == "__main__":
    main()
