#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times of Python kernels for kernelgate: copy this one file into your repository (docs/FORMATS.md).

    from kernelgate_suite import Suite
    suite = Suite()

    @suite.bench(n=[1024, 4096])
    def softmax(n):                      # called only where the benchmark is chosen
        x = torch.randn(n, n, device="cuda")
        return lambda: my_softmax(x)     # what is timed: "softmax/n=1024"

    if __name__ == "__main__":
        suite.main()

    [[suite]]
    name = "kernels"
    format = "samples"
    run = "python3 {source}/bench.py"
    check = "python3 {source}/bench.py --check"

Standard library alone: torch and triton are used only where the caller has imported them. On a CUDA device calls are
batched in a graph where they can be captured, else between two events; elsewhere the clock of the host is read."""

import argparse
import itertools
import json
import math
import re
import sys
import time

WARM_UP_CALLS = 3
ESTIMATE_S = 0.005  # of calls before timing, to know how many fill a sample
GRAPH_CALLS_MOST = 1000  # of one graph: each is a node or more
CALLS_MOST = 1_000_000  # of one sample
ERROR_LETTERS = 500  # kept of an exception


class Case:
    """What a benchmark's function may return instead of the callable alone."""

    def __init__(self, call, check=None, counters=None, configuration=None):
        self.call = call  # timed
        self.check = check  # returns what is wrong: None or True if nothing; (error, bound); or raises AssertionError
        self.counters = counters or {}  # name -> number
        self.configuration = configuration  # what a tuner chose, in one word


class Timing:
    """Samples of one benchmark: nanoseconds of one call, and how many calls a sample holds."""

    def __init__(self, samples_ns, calls=1, by="host"):
        self.samples_ns = samples_ns
        self.calls = calls
        self.by = by  # host, events, graph, do_bench or torch


def imported(name):
    """A package that the caller has imported; nothing is imported here."""
    return sys.modules.get(name)


def has_cuda():
    torch = imported("torch")
    return torch is not None and torch.cuda.is_available()


def calls_for(sample_s, one_call_s):
    """How many calls a sample of that length needs."""
    return max(1, min(CALLS_MOST, math.ceil(sample_s / max(one_call_s, 1e-9))))


def parts_of(values, parts):
    """The means of so many neighbouring groups of values: fewer where there are not enough."""
    parts = max(1, min(parts, len(values)))
    cuts = [len(values) * i // parts for i in range(parts + 1)]
    return [sum(values[a:b]) / (b - a) for a, b in zip(cuts, cuts[1:])]


def time_on_host(call, repetitions, sample_s):
    def seconds(calls):
        begun = time.perf_counter_ns()
        for _ in range(calls):
            call()
        return (time.perf_counter_ns() - begun) / 1e9

    for _ in range(WARM_UP_CALLS):
        call()
    calls, took = 1, seconds(1)
    while took < ESTIMATE_S and calls < CALLS_MOST:
        calls *= 2
        took = seconds(calls)
    calls = calls_for(sample_s, took / calls)
    return Timing([seconds(calls) * 1e9 / calls for _ in range(repetitions)], calls, "host")


def between_events(torch, work, times):
    """Seconds of one piece of work on the device, of so many in a row."""
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    first.record()
    for _ in range(times):
        work()
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1e3 / times


def captured(torch, call, calls):
    """A graph of so many calls; None where a call cannot be captured (it waits for the device, or allocates)."""
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            for _ in range(calls):
                call()
    except Exception:  # whatever the call does not allow; timed by events it shows real errors again
        torch.cuda.synchronize()
        return None
    return graph


def time_on_cuda(call, repetitions, sample_s, graphs=True):
    torch = imported("torch")
    side = torch.cuda.Stream()  # calls before a capture belong on a stream of their own
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(WARM_UP_CALLS):
            call()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    calls = calls_for(sample_s, between_events(torch, call, 10))
    in_graph = min(calls, GRAPH_CALLS_MOST)
    graph = captured(torch, call, in_graph) if graphs else None
    if graph is None:
        work, per_work, by = call, 1, "events"
    else:
        graph.replay()
        work, per_work, by = graph.replay, in_graph, "graph"
    times = calls_for(sample_s, between_events(torch, work, 2))
    samples = [between_events(torch, work, times) * 1e9 / per_work for _ in range(repetitions)]
    return Timing(samples, times * per_work, by)


def time_call(call, repetitions, sample_s, graphs=True):
    if has_cuda():
        return time_on_cuda(call, repetitions, sample_s, graphs)
    return time_on_host(call, repetitions, sample_s)


def time_do_bench(do_bench, call, repetitions, sample_s, **options):
    """triton.testing.do_bench: the L2 cache is emptied before each call, as there."""
    options = {**options, "rep": max(1, math.ceil(sample_s * 1e3 * repetitions)), "return_mode": "all"}
    options.pop("quantiles", None)
    times_ms = do_bench(call, **options)
    samples = parts_of([ms * 1e6 for ms in times_ms], repetitions)
    return Timing(samples, max(1, len(times_ms) // len(samples)), "do_bench")


def time_torch_timer(timer, repetitions, sample_s):
    """A torch.utils.benchmark.Timer, which waits for the device itself."""
    number = timer.blocked_autorange(min_run_time=sample_s).number_per_run
    one = timer.timeit(number).raw_times[0] / number
    number = calls_for(sample_s, one)
    return Timing([timer.timeit(number).raw_times[0] * 1e9 / number for _ in range(repetitions)], number, "torch")


def quantile(values, share):
    """As do_bench answers its caller."""
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def answer_of_do_bench(times_ms, quantiles=None, return_mode="mean"):
    if quantiles is not None:
        found = [quantile(times_ms, share) for share in quantiles]
        return found[0] if len(found) == 1 else found
    if return_mode == "all":
        return times_ms
    ways = {"min": min, "max": max, "median": lambda times: quantile(times, 0.5)}
    return ways.get(return_mode, lambda times: sum(times) / len(times))(times_ms)


def mark_cases(mark):
    """Of what triton.testing.perf_report makes: each name with the arguments that its function gets."""
    benchmarks = mark.benchmarks if isinstance(mark.benchmarks, (list, tuple)) else [mark.benchmarks]
    for benchmark in benchmarks:
        for x in benchmark.x_vals:
            values = x if isinstance(x, (list, tuple)) else [x] * len(benchmark.x_names)
            for line in benchmark.line_vals:
                place = dict(zip(benchmark.x_names, values))
                parts = [f"{name}={value}" for name, value in place.items()]
                name = "/".join([benchmark.plot_name, *parts, f"{benchmark.line_arg}={line}"])
                yield name, {**place, benchmark.line_arg: line, **benchmark.args}


def time_mark(function, arguments, repetitions, sample_s):
    """The one do_bench that a function of perf_report calls: its samples, whatever it makes of them."""
    testing = imported("triton.testing")
    timings = []

    def recording(original):
        def do_bench(call, *_, **options):
            quantiles, mode = options.pop("quantiles", None), options.pop("return_mode", "mean")
            options = {key: options[key] for key in ("warmup", "grad_to_none") if key in options}
            timings.append(time_do_bench(original, call, repetitions, sample_s, **options))
            return answer_of_do_bench([ns / 1e6 for ns in timings[-1].samples_ns], quantiles, mode)

        return do_bench

    original, names = testing.do_bench, function.__globals__
    replaced = [name for name, value in names.items() if value is original]  # "from triton.testing import do_bench"
    testing.do_bench = recorded = recording(original)
    names.update((name, recorded) for name in replaced)
    try:
        function(**arguments)
    finally:
        testing.do_bench = original
        names.update((name, original) for name in replaced)
    if len(timings) != 1:
        raise RuntimeError(f"its function called triton.testing.do_bench {len(timings)} times: once is needed")
    return timings[0]


class Suite:
    """Benchmarks by name; main() lists, checks or times those that are asked for."""

    def __init__(self):
        self.makers = {}  # name -> make(): a Case, and how it is timed (repetitions, seconds): a Timing

    def add(self, name, make, graphs=True):
        """make() returns the callable, or a Case; it is called only where the benchmark is chosen."""

        def timed():
            made = make()
            case = made if isinstance(made, Case) else Case(made)
            return case, lambda repetitions, sample_s: time_call(case.call, repetitions, sample_s, graphs)

        self.put(name, timed)

    def bench(self, graphs=True, **axes):
        """A decorator: one benchmark for each point of the axes, NAME/axis=value."""

        def decorate(function):
            for values in itertools.product(*axes.values()):
                point = dict(zip(axes, values))
                name = "/".join([function.__name__, *(f"{axis}={value}" for axis, value in point.items())])
                self.add(name, lambda point=point: function(**point), graphs)
            return function

        return decorate

    def do_bench(self, name, make, **options):
        """make() returns what triton.testing.do_bench times."""

        def timed():
            made = make()
            case = made if isinstance(made, Case) else Case(made)
            do_bench = imported("triton.testing").do_bench
            return case, lambda repetitions, sample_s: time_do_bench(
                do_bench, case.call, repetitions, sample_s, **options
            )

        self.put(name, timed)

    def perf_report(self, mark):
        """All points of a function under triton.testing.perf_report."""
        for name, arguments in mark_cases(mark):
            self.put(
                name,
                lambda arguments=arguments: (
                    Case(None),
                    lambda repetitions, sample_s: time_mark(mark.fn, arguments, repetitions, sample_s),
                ),
            )

    def torch_benchmark(self, name, make):
        """make() returns a torch.utils.benchmark.Timer."""

        def timed():
            timer = make()
            return Case(None), lambda repetitions, sample_s: time_torch_timer(timer, repetitions, sample_s)

        self.put(name, timed)

    def put(self, name, timed):
        if name in self.makers:
            raise ValueError(f"two benchmarks are named {name!r}")
        self.makers[name] = timed

    def main(self, arguments=None):
        asked = parse(arguments)
        chosen = [name for name in self.makers if re.search(asked.filter, name)]
        if asked.list:
            for name in chosen:
                say({"benchmark": name})
            return
        if asked.check:
            sys.exit(0 if all([say_check(name, self.makers[name]) for name in chosen]) else 1)
        for name in chosen:
            say_times(name, self.makers[name], asked.repetitions, asked.sample_ms / 1e3)


def parse(arguments):
    parser = argparse.ArgumentParser(description="Times of kernels as JSON lines, for kernelgate")
    parser.add_argument("--list", action="store_true", help="the names of the benchmarks, nothing is timed")
    parser.add_argument("--filter", default="", help="only those that this regular expression matches")
    parser.add_argument("--repetitions", type=int, default=12, help="samples of each benchmark")
    parser.add_argument("--sample-ms", type=float, default=0.5, help="least length of a sample")
    parser.add_argument("--check", action="store_true", help="check the results, nothing is timed")
    return parser.parse_args(arguments)


def say(row):
    """On a line of its own, whatever was printed before."""
    sys.stdout.write("\n" + json.dumps(row, allow_nan=False) + "\n")
    sys.stdout.flush()


def words_of(error):
    return f"{type(error).__name__}: {error}"[:ERROR_LETTERS]


def say_times(name, timed, repetitions, sample_s):
    try:
        case, timing_of = timed()
        timing = timing_of(max(1, repetitions), sample_s)
    except Exception as error:  # of a kernel: the others are timed all the same
        say({"benchmark": name, "error": words_of(error)})
        return
    row = {"benchmark": name, "samples_ns": timing.samples_ns, "calls": timing.calls, "by": timing.by}
    if case.counters:
        row["counters"] = case.counters
    if case.configuration:
        row["configuration"] = case.configuration
    say(row)


def verdict_of(case):
    """A line of kernelgate's checks without its name; None: there is nothing to check."""
    if case.check is None:
        return None
    try:
        found = case.check()
    except AssertionError as wrong:
        return {"passed": False, "text": words_of(wrong)}
    if isinstance(found, tuple):
        error, bound = (float(value) for value in found)
        passed = error <= bound  # false for NaN
        return {"passed": passed, "rel_err": error if math.isfinite(error) else None, "bound": bound}
    if found is None or found is True:
        return {"passed": True}
    return {"passed": False, "text": "" if found is False else str(found)[:ERROR_LETTERS]}


def say_check(name, timed):
    try:
        row = verdict_of(timed()[0])
    except Exception as error:
        row = {"passed": False, "error_class": "crashed", "text": words_of(error)}
    if row is not None:
        say({"name": name, **row})
    return row is None or row["passed"]
