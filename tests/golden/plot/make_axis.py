#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: make_axis.py > axis.json     The axis of changes, written out once more: server and dashboard follow it."""
import json
from math import asinh, log, log1p

APART, FROM_MIDDLE, LAST, REACH_END = 0.16, 0.13, 0.97, 20


def text(ratio):
    up = max(ratio, 1 / ratio)
    if ratio == 1:
        return "0"
    if up < 2:
        return ("+" if ratio > 1 else "\u2212") + f"{round((up - 1) * 100)}%"
    return ("\u00d7" if ratio > 1 else "\u00f7") + str(round(up))


def case(catch_limit, ratios):
    bend = log1p(catch_limit or 0.03)
    ends = [abs(log(ratio * side)) * 1.1 for ratio in ratios for side in (0.99, 1, 1.01)]
    reach = min(max([2 * bend] + ends), log(REACH_END))

    def place(ratio):
        return min(1, max(0, 0.5 + asinh(log(ratio) / bend) / asinh(reach / bend) / 2))

    slower = []
    for ratio in (1.01, 1.03, 1.1, 1.3, 2, 5, 20):
        far = place(ratio) - place(slower[-1]) > APART if slower else place(ratio) - 0.5 > FROM_MIDDLE
        if log(ratio) < reach and place(ratio) < LAST and far:
            slower.append(ratio)
    ticks = [1 / ratio for ratio in reversed(slower)] + [1] + slower
    return {"catch_limit": catch_limit, "ratios": ratios, "reach": reach,
            "ticks": [{"ratio": ratio, "place": place(ratio), "text": text(ratio)} for ratio in ticks]}


def main():
    cases = [case(0.03, []), case(0.03, [1.02]), case(0.03, [0.9, 1.1]), case(0.1, [1.5]), case(0.03, [3]),
             case(0.005, [1.01]), case(0.03, [0.1, 17]), case(0.05, [1000]), case(0, [1.2])]
    print("[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in cases) + "\n]")


if __name__ == "__main__":
    main()
