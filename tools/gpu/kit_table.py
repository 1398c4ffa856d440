# SPDX-License-Identifier: Apache-2.0
"""The table that kit_check.py prints, and its measures of spread. Pure."""
import statistics


def percent(fraction):
    return 100 * fraction


def spread_percent(values):
    """Interquartile range over the median."""
    if len(values) < 2:
        return 0.0
    low, _, high = statistics.quantiles(values, n=4)
    return percent((high - low) / statistics.median(values))


def sd_percent(values):
    """Standard deviation over the mean."""
    return percent(statistics.stdev(values) / statistics.mean(values)) if len(values) > 1 else float("nan")


class Table:
    """PASS or FAIL a line."""

    def __init__(self):
        self.lines = []
        self.failed = 0

    def row(self, kind, name, passed, note=""):
        self.failed += not passed  # an empty list has not passed either
        note = " ".join(str(note).split("\n")).strip()[:400]
        self.lines.append(f"{'PASS' if passed else 'FAIL'}  {kind:9} {name:42} {note}".rstrip())

    def text(self):
        return "\n".join([*self.lines, f"{len(self.lines) - self.failed} passed, {self.failed} failed"])
