#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What many strangers do to a server, measured: overload_bench.py KERNELGATE STORE [--readers N] [--seconds S].

STORE is one that tools/large_store.py filled; it is written to (a token, runs), so give a copy. Three loads, one
after another, each from one address: webhooks of 4 MiB with a wrong signature, all at once; idle connections beside a
runner, a hook and a webhook; anonymous readers of history, plots, runs and the overview beside a runner that claims
and sends heartbeats. Prints the times of whoever must go on, and the server's memory. `--cores 0,1` binds the server to
these, `--load-cores` the readers to others: then they do not take its time.
"""
import argparse
import asyncio
import hashlib
import hmac
import http.client
import json
import multiprocessing
import os
import pathlib
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time

SECRET = "bench"
BODY_MAX = 4 << 20


class Server:
    def __init__(self, asked, folder):
        self.folder, self.asked = folder, asked
        (folder / "secret").write_text(SECRET)
        (folder / "token").write_text("none")
        for name in ("secret", "token"):
            (folder / name).chmod(0o600)
        (folder / "gate.toml").write_text(
            'schema = 1\n[github]\ntoken_file = "token"\nwebhook_secret_file = "secret"\nstatuses = false\n'
            'comments = false\n')
        self.tokens = {role: self.token(role) for role in ("runner", "trigger")}
        command = [asked.kernelgate, "server", "--listen", "127.0.0.1:0", "--data", str(folder), "--db", asked.store,
                   "--public-read", "--no-access-log", "--config", str(folder / "gate.toml"), "--port-file",
                   str(folder / "port")]
        if asked.cores:
            command = ["taskset", "-c", asked.cores, *command]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while not (folder / "port").exists():
            if self.process.poll() is not None:
                sys.exit("the server did not start")
            time.sleep(0.05)
        self.port = int((folder / "port").read_text())

    def token(self, role):
        name = f"bench-{role}-{os.getpid()}"
        printed = subprocess.run([self.asked.kernelgate, "token", "create", "--db", self.asked.store, "--name", name,
                                  "--role", role], check=True, capture_output=True, text=True).stdout
        return re.search(r"kg_[0-9a-f]{64}", printed).group(0)

    def memory(self, field="VmRSS"):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{field}:\s+(\d+) kB", text).group(1)) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


class Caller:
    """One kept connection of somebody with a token."""

    def __init__(self, server, role):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.headers = {"Authorization": "Bearer " + server.tokens[role]} if role else {}
        self.times = []

    def ask(self, method, path, body=None, headers=None):
        began = time.perf_counter()
        text = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        self.connection.request(method, path, text, {**self.headers, **(headers or {})})
        answer = self.connection.getresponse()
        data = answer.read()
        self.times.append(1000 * (time.perf_counter() - began))
        return answer.status, data


def say(name, times, load):
    ordered = sorted(times)
    at = lambda share: ordered[min(len(ordered) - 1, int(share * len(ordered)))]
    print(f"{name}: n={len(times)} p50 {statistics.median(times):.1f} p90 {at(0.9):.1f} p99 {at(0.99):.1f} "
          f"max {ordered[-1]:.1f} ms ({load})", flush=True)


def work(server, number):
    """What a runner does, from a trigger to a released job; the times of claims, heartbeats and triggers."""
    commit = hashlib.sha1(f"{os.getpid()}-{number}".encode()).hexdigest()
    hook = Caller(server, "trigger")
    status, data = hook.ask("POST", "/api/v1/triggers", {
        "repository": "large", "commit": commit, "branch": "bench", "subject": "b", "base": {"kind": "first_parent"},
        "source": "cli"})
    assert status == 202, data
    return json.loads(data)["run"], hook.times


def play_runner(server, seconds, load):
    runner, claims, beats, triggers = Caller(server, "runner"), [], [], []
    until, number = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        number += 1
        _, times = work(server, f"{load}-{number}")
        triggers += times
        runner.times.clear()
        status, data = runner.ask("POST", "/api/v1/runner/claim",
                                  {"runner": "bench", "testbed": {"name": "bench"}, "wait_s": 0})
        assert status == 200, (status, data)
        claims += runner.times
        claim = json.loads(data)
        runner.times.clear()
        for _ in range(4):
            status, data = runner.ask("POST", f"/api/v1/runner/runs/{claim['run']}/heartbeat",
                                      {"lease": claim["lease"], "state": "building", "progress": "b"})
            assert status == 200, (status, data)
        beats += runner.times
        status, data = Caller(server, "trigger").ask("POST", f"/api/v1/runs/{claim['run']}/cancel")
        assert status == 200, (status, data)
        time.sleep(0.02)
    say("claim", claims, load)
    say("heartbeat", beats, load)
    say("trigger", triggers, load)


async def read_on(port, paths, number, counts):
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            while True:
                number += 1
                writer.write(f"GET {paths[number % len(paths)]} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
                head = await reader.readuntil(b"\r\n\r\n")
                length = re.search(rb"content-length: (\d+)", head.lower())
                await reader.readexactly(int(length.group(1)))
                counts[0 if b" 200 " in head[:16] else 1] += 1
        except (OSError, asyncio.IncompleteReadError):
            counts[2] += 1
            await asyncio.sleep(0.05)


def be_readers(port, paths, many, cores, counts):
    os.nice(10)  # in service they run on machines of their own
    if cores:
        os.sched_setaffinity(0, {int(core) for core in cores.split(",")})

    async def all_of_them():
        mine = [0, 0, 0]

        async def report():
            while True:
                await asyncio.sleep(0.2)
                counts[:] = mine
        await asyncio.gather(report(), *(read_on(port, paths, number, mine) for number in range(many)))
    asyncio.run(all_of_them())


def among_readers(server, asked):
    name = "suite=kernels&benchmark=" + asked.benchmark
    paths = [f"/api/v1/history?repository=large&{name}", f"/plot/history.svg?repository=large&{name}",
             f"/api/v1/history?repository=large&{name}&limit=500", "/api/v1/overview", "/api/v1/runs?limit=500",
             f"/api/v1/runs/{asked.run}", "/metrics"]
    counts = multiprocessing.Array("l", 3)
    readers = multiprocessing.Process(target=be_readers,
                                      args=(server.port, paths, asked.readers, asked.load_cores, counts))
    readers.start()
    time.sleep(3)
    play_runner(server, asked.seconds, f"{asked.readers} readers")
    readers.terminate()
    readers.join()
    print(f"readers: {counts[0]} answers, {counts[1]} refusals (/metrics needs a token), {counts[2]} connections lost; "
          f"memory {server.memory():.0f} MiB, at most {server.memory('VmHWM'):.0f} MiB", flush=True)


def among_idle(server, asked):
    idle = []
    for _ in range(asked.idle):
        idle.append(socket.create_connection(("127.0.0.1", server.port)))
    play_runner(server, min(asked.seconds, 10), f"{asked.idle} idle connections")
    forge, body = Caller(server, None), json.dumps({"zen": "x"}).encode()
    for number in range(20):
        forge.connection.close()
        status, data = forge.ask("POST", "/webhooks/github", body,
                                 webhook(body, SECRET, f"idle-{os.getpid()}-{number}"))
        assert status == 202, (status, data)
    say("webhook", forge.times, f"{asked.idle} idle connections")
    for one in idle:
        one.close()


def webhook(body, secret, delivery):
    return {"Content-Type": "application/json", "X-GitHub-Event": "ping", "X-GitHub-Delivery": delivery,
            "X-Hub-Signature-256": "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}


async def send_unsigned(port, number):
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write((f"POST /webhooks/github HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                      f"X-GitHub-Event: push\r\nX-GitHub-Delivery: u{number}\r\n"
                      f"X-Hub-Signature-256: sha256={'0' * 64}\r\n"
                      f"Content-Length: {BODY_MAX}\r\n\r\n").encode())
        for _ in range(63):  # all but the last piece: nobody is answered before the others are there
            writer.write(b"x" * (BODY_MAX // 64))
            await writer.drain()
        await asyncio.sleep(15)
    except OSError:
        pass


def be_unsigned(port, many):
    os.nice(10)
    async def all_of_them():
        await asyncio.gather(*(send_unsigned(port, number) for number in range(many)))
    asyncio.run(all_of_them())


def among_unsigned(server, asked):
    before, most = server.memory(), 0
    sender = multiprocessing.Process(target=be_unsigned, args=(server.port, asked.bodies))
    sender.start()
    forge, number, until = Caller(server, None), 0, time.monotonic() + 12
    body = json.dumps({"zen": "x"}).encode()
    while time.monotonic() < until:
        number += 1
        forge.connection.close()
        status, data = forge.ask("POST", "/webhooks/github", body,
                                 webhook(body, SECRET, f"unsigned-{os.getpid()}-{number}"))
        assert status == 202, (status, data)
        most = max(most, server.memory())
        time.sleep(0.01)
    sender.terminate()
    sender.join()
    say("webhook", forge.times, f"{asked.bodies} unsigned bodies of {BODY_MAX >> 20} MiB")
    print(f"memory: {before:.0f} MiB before, {most:.0f} MiB at most beside {asked.bodies} unsigned bodies", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernelgate")
    parser.add_argument("store")
    parser.add_argument("--readers", type=int, default=500)
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--bodies", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--cores", default="", help="of the server, such as 0,1")
    parser.add_argument("--load-cores", default="", help="of the readers")
    parser.add_argument("--benchmark", default="gemm%2Fbf16%2FM%3A512%2FN%3A64")
    parser.add_argument("--run", type=int, default=1)
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(asked, pathlib.Path(folder))
        try:
            among_unsigned(server, asked)
            play_runner(server, min(asked.seconds, 10), "alone")
            among_idle(server, asked)
            among_readers(server, asked)
        finally:
            server.stop()


main()
