# SPDX-License-Identifier: Apache-2.0
"""What the steps of gpu-check share: the programs, the folders, and how a program is started."""

import json
import os
import pathlib
import shutil
import subprocess

from .table import Failure

LEFT = 400  # characters of an output's end that a failure shows


class NoCard(Exception):
    pass


class Ran:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def end(self):
        return (self.out + self.err).strip()[-LEFT:]


class Workshop:
    def __init__(self, options):
        self.options = options
        self.source = pathlib.Path.cwd()
        self.build = options.build.resolve()
        self.out = options.out.resolve()
        self.cuda = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))
        os.environ["PATH"] += f":{self.cuda}/bin"
        if not shutil.which("nvidia-smi") or self.start(["nvidia-smi", "-L"], 60).code != 0:
            raise NoCard("nvidia-smi finds no GPU: run this on a machine with an NVIDIA GPU and its driver")
        self.jobs = len(os.sched_getaffinity(0))
        self.out.mkdir(parents=True, exist_ok=True)
        self._program = options.kernelgate.resolve() if options.kernelgate else None

    def start(self, argv, timeout, cwd=None, env=None):
        try:
            done = subprocess.run([str(word) for word in argv], cwd=cwd, capture_output=True, text=True,
                                  errors="replace", timeout=timeout, check=False, env={**os.environ, **(env or {})})
        except subprocess.TimeoutExpired as late:
            text = late.stdout.decode(errors="replace") if late.stdout else ""
            return Ran(124, text, f"no end after {timeout} s")
        return Ran(done.returncode, done.stdout, done.stderr)

    def must(self, what, argv, timeout, **how):
        """Starts a program that has to succeed, keeps its output under `what`."""
        ran = self.start(argv, timeout, **how)
        self.keep(what, ran)
        if ran.code != 0:
            raise Failure(f"{what} ends with {ran.code}: {ran.end}")
        return ran

    def keep(self, what, ran):
        (self.out / f"{what}.log").write_text(ran.out + ran.err, encoding="utf-8")

    def program(self):
        if self._program is None:
            self._program = self.build_program()
        if not os.access(self._program, os.X_OK):
            raise Failure(f"{self._program} cannot be executed: name the executable with --kernelgate")
        return self._program

    def build_program(self):
        self.must("program-configure", ["cmake", "--preset", "host", "-DKERNELGATE_TESTS=OFF"], 120)
        target = ["--target", "kernelgate"]
        self.must("program-build", ["cmake", "--build", "build/host", "-j", self.jobs, *target], 500)
        return (self.source / "build/host/kernelgate").resolve()

    def json_of(self, what, argv, timeout, codes=(0,), **how):
        ran = self.start(argv, timeout, **how)
        self.keep(what, ran)
        if ran.code not in codes:
            raise Failure(f"{what} ends with {ran.code}: {ran.end}")
        try:
            return json.loads(ran.out)
        except ValueError as error:
            raise Failure(f"{what} prints no JSON ({error}): {ran.end}") from error

    def facts(self):
        query = "name,driver_version,compute_cap,uuid,power.limit,clocks.max.sm,clocks.max.mem"
        seen = self.start(["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader"], 60).out.strip()
        nvcc = self.start(["nvcc", "--version"], 60).out.strip().splitlines()
        return {"card": dict(zip(query.split(","), [part.strip() for part in seen.splitlines()[0].split(",")])),
                "nvcc": nvcc[-1] if nvcc else "", "cores": self.jobs,
                "commit": self.start(["git", "rev-parse", "HEAD"], 30).out.strip()}

    def install(self, kernels):
        """The executable and the helper programs it looks for beside itself, in one folder."""
        folder = self.out / "bin"
        folder.mkdir(exist_ok=True)
        for name in ("kg_probe_health", "kg_probe_control", "kg_probe_ceilings"):
            shutil.copy2(kernels / "probe" / name, folder / name)
        if self._program.parent != folder:
            self._program = pathlib.Path(shutil.copy2(self.program(), folder / "kernelgate"))
