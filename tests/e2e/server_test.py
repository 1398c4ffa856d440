#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""server_test.py KERNELGATE: `kernelgate server` and the commands that work on its store, as processes."""
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

KERNELGATE = sys.argv.pop()
PATIENCE_S = 60


def run(*arguments):
    return subprocess.run([KERNELGATE, *arguments], capture_output=True, text=True, timeout=PATIENCE_S)


class Server:
    """A server in `folder`, on a port that the system chose, once it answers."""

    def __init__(self, folder, *arguments):
        self.port_file = os.path.join(folder, "port")
        self.log = tempfile.TemporaryFile("w+")
        if os.path.exists(self.port_file):
            os.remove(self.port_file)
        self.process = subprocess.Popen(
            [KERNELGATE, "server", "--listen", "127.0.0.1:0", "--data", folder, "--port-file", self.port_file,
             *arguments], stdout=subprocess.PIPE, stderr=self.log, text=True)
        end = time.monotonic() + PATIENCE_S
        while not os.path.exists(self.port_file) and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        with open(self.port_file) as file:
            self.url = "http://127.0.0.1:" + file.read().strip()

    def ask(self, method, path, token="", body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method)
        if token:
            request.add_header("Authorization", "Bearer " + token)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.finished()

    def finished(self):
        self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        return self.process.returncode

    def stderr(self):
        self.log.seek(0)
        return self.log.read()

    def close(self):
        if self.process.poll() is None:
            self.stop(signal.SIGKILL)
        self.log.close()


class ServerProcess(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="kernelgate server ")
        self.addCleanup(shutil.rmtree, self.folder)
        self.store = os.path.join(self.folder, "kernelgate.sqlite")
        self.token_file = os.path.join(self.folder, "admin token")

    def start(self, *arguments):
        server = Server(self.folder, "--admin-token-file", self.token_file, *arguments)
        self.addCleanup(server.close)
        with open(self.token_file) as file:
            self.admin = file.read().strip()
        return server

    def add_repository(self, server):
        done = run("repository", "add", "--server", server.url, "--token-file", self.token_file, "--name", "kernels",
                   "--url", "/srv/git/kernels with a space.git")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def trigger(self, server, commit="a"):
        status, body = server.ask("POST", "/api/v1/triggers", self.admin,
                                  {"repository": "kernels", "commit": commit * 40, "branch": "main",
                                   "subject": "Change a kernel", "base": {"kind": "first_parent"}, "source": "cli"})
        self.assertEqual(status, 202, body)
        return body["run"]

    def claim(self, server, wait_s=0):
        return server.ask("POST", "/api/v1/runner/claim", self.admin,
                          {"runner": "r1", "testbed": {"name": "bench"}, "wait_s": wait_s})

    def assert_refused(self, done, exit_code, *words):
        self.assertEqual((done.returncode, done.stdout), (exit_code, ""), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertNotIn("internal error", done.stderr)

    def test_tells_its_port_and_ends_on_sigterm_and_sigint(self):
        for how in (signal.SIGTERM, signal.SIGINT):
            server = self.start()
            self.assertEqual(server.ask("GET", "/healthz")[1]["status"], "ok")
            self.assertEqual(server.process.stdout.readline(), "kernelgate server: " + server.url + "\n")
            self.assertEqual(server.stop(how), 0, server.stderr())

    # A page of another site whose name was made to lead to this machine.
    def test_answers_to_its_own_names_alone(self):
        server = self.start("--host", "Gate.example")
        self.assertEqual(self.status_for(server, "evil.example"), 421)
        for name in ("localhost", "127.0.0.1:8080", "gate.example"):
            self.assertEqual(self.status_for(server, name), 200)

    def status_for(self, server, host):
        request = urllib.request.Request(server.url + "/healthz", headers={"Host": host})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def test_a_result_that_cannot_be_written_is_said(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([KERNELGATE, "--version"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 4)
        self.assertIn("could not be written", done.stderr)

    def test_a_port_file_that_is_a_pipe_is_written_and_stays(self):
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        process = subprocess.Popen([KERNELGATE, "server", "--listen", "127.0.0.1:0", "--data", self.folder,
                                    "--port-file", pipe], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        with open(pipe) as reader:
            self.assertRegex(reader.read(), r"^\d+\n$")
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))

    def test_first_admin_token_is_its_owners_and_made_once(self):
        server = self.start()
        self.assertEqual(stat.S_IMODE(os.stat(self.token_file).st_mode), 0o600)
        self.assertRegex(self.admin, "^kg_[0-9a-f]{64}$")
        self.assertNotIn(self.admin, server.stderr())
        self.assertEqual(server.ask("GET", "/api/v1/runs", self.admin)[0], 200)
        first = self.admin
        self.assertEqual(server.stop(), 0)
        server = self.start()
        self.assertEqual(self.admin, first)
        self.assertEqual(server.ask("GET", "/api/v1/runs", first)[0], 200)
        self.assertEqual(len(run("token", "list", "--db", self.store).stdout.splitlines()), 2)
        for file in os.listdir(self.folder):
            if file.startswith("kernelgate.sqlite"):
                with open(os.path.join(self.folder, file), "rb") as content:
                    self.assertNotIn(first.encode(), content.read(), file)

    def test_a_token_that_could_not_be_written_is_made_anew(self):
        lost = run("server", "--listen", "127.0.0.1:0", "--data", self.folder, "--admin-token-file", "/no/such/place")
        self.assert_refused(lost, 4, "/no/such/place")
        server = self.start()
        self.assertEqual(server.ask("GET", "/api/v1/runs", self.admin)[0], 200)

    def test_tokens_are_made_listed_and_revoked_while_it_serves(self):
        server = self.start()
        made = run("token", "create", "--db", self.store, "--name", "hook", "--role", "trigger")
        self.assertEqual(made.returncode, 0, made.stderr)
        token = made.stdout.strip()
        self.assertEqual(server.ask("GET", "/api/v1/runs", token)[0], 200)
        self.assertEqual(server.ask("POST", "/api/v1/repositories", token, {})[0], 403)
        listed = run("token", "list", "--db", self.store).stdout
        self.assertTrue(re.search("^hook +trigger .* -$", listed, re.MULTILINE), listed)
        self.assertNotIn(token[3:], listed)
        self.assert_refused(run("token", "create", "--db", self.store, "--name", "hook", "--role", "read"), 2, "hook")
        self.assert_refused(run("token", "create", "--db", self.store, "--name", "a b", "--role", "read"), 2, "--name")
        self.assert_refused(run("token", "create", "--db", self.store, "--name", "x", "--role", "root"), 2, "--role")
        self.assertEqual(run("token", "revoke", "--db", self.store, "--name", "hook").returncode, 0)
        end = time.monotonic() + PATIENCE_S
        while server.ask("GET", "/api/v1/runs", token)[0] != 401 and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(server.ask("GET", "/api/v1/runs", token)[0], 401)
        self.assertFalse(re.search("^hook .* -$", run("token", "list", "--db", self.store).stdout, re.MULTILINE))
        self.assert_refused(run("token", "revoke", "--db", self.store, "--name", "nobody"), 2, "nobody")

    def test_a_repository_is_added_from_the_command_line(self):
        server = self.start()
        self.add_repository(server)
        listed = server.ask("GET", "/api/v1/repositories", self.admin)[1]["repositories"]
        self.assertEqual([(one["name"], one["url"], one["default_branch"]) for one in listed],
                         [("kernels", "/srv/git/kernels with a space.git", "main")])
        again = run("repository", "add", "--server", server.url, "--token-file", self.token_file, "--name", "kernels",
                    "--url", "/elsewhere")
        self.assert_refused(again, 2, "kernels")
        self.assert_refused(run("repository", "add", "--server", server.url, "--token-file", "/no/such", "--name", "x",
                                "--url", "/x"), 2, "/no/such")

    def test_a_data_folder_has_one_server(self):
        server = self.start()
        second = run("server", "--listen", "127.0.0.1:0", "--data", self.folder)
        self.assert_refused(second, 2, "another server uses this data folder", "server.lock", "--data")
        self.assertEqual(server.ask("GET", "/healthz")[0], 200)
        server.stop(signal.SIGKILL)
        self.assertEqual(self.start().stop(), 0)

    def test_a_store_has_one_server(self):
        server = self.start()
        second = run("server", "--listen", "127.0.0.1:0", "--data", os.path.join(self.folder, "other"),
                     "--db", self.store)
        self.assert_refused(second, 2, "another server uses this store", "kernelgate.sqlite.lock", "--db")
        self.assertEqual(server.stop(), 0)

    def test_a_port_that_is_taken_is_named(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = "127.0.0.1:%d" % taken.getsockname()[1]
            done = run("server", "--listen", address, "--data", self.folder)
        self.assert_refused(done, 4, address, "in use")

    def test_bad_addresses_are_bad_input(self):
        for address in ("", "127.0.0.1", "127.0.0.1:99999", "nowhere:80", "127.0.0.1:x"):
            self.assert_refused(run("server", "--listen", address, "--data", self.folder), 2, "--listen")

    def test_a_file_that_is_no_store_is_left_as_it_was(self):
        letter, damaged = b"this is a letter, not a store\n" * 400, b"SQLite format 3\0" + b"\xff" * 8000
        for content, code in ((letter, 2), (damaged, 4)):
            with open(self.store, "wb") as file:
                file.write(content)
            done = run("server", "--listen", "127.0.0.1:0", "--data", self.folder)
            self.assert_refused(done, code, "kernelgate.sqlite")
            with open(self.store, "rb") as file:
                self.assertEqual(file.read(), content)
        other = os.path.join(self.folder, "other.sqlite")
        with sqlite3.connect(other) as store:
            store.execute("CREATE TABLE letters (text)")
        done = run("server", "--listen", "127.0.0.1:0", "--data", self.folder, "--db", other)
        self.assert_refused(done, 2, "other.sqlite", "no kernelgate store")

    def test_a_missing_store_is_not_made_by_listing_its_tokens(self):
        for command in (("token", "list"), ("token", "revoke", "--name", "x")):
            done = run(*command, "--db", os.path.join(self.folder, "typo.sqlite"))
            self.assert_refused(done, 2, "typo.sqlite")
            self.assertEqual(os.listdir(self.folder), [])

    def test_a_stop_ends_waiting_claims_without_losing_a_job(self):
        server = self.start()
        self.add_repository(server)
        answers = []
        waiting = [threading.Thread(target=lambda: answers.append(self.claim(server, 25))) for _ in range(3)]
        for thread in waiting:
            thread.start()
        end = time.monotonic() + PATIENCE_S
        while self.parked(server) < len(waiting) and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(server.stop(), 0, server.stderr())
        for thread in waiting:
            thread.join()
        self.assertEqual([status for status, _ in answers], [204] * len(waiting))

    def parked(self, server):
        request = urllib.request.Request(server.url + "/metrics", headers={"Authorization": "Bearer " + self.admin})
        with urllib.request.urlopen(request) as answer:
            found = re.search(r"^kernelgate_http_parked\S* (\d+)$", answer.read().decode(), re.MULTILINE)
        return int(found.group(1))

    def test_runs_and_leases_outlive_the_server(self):
        for how, code in ((signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)):
            server = self.start()
            if how == signal.SIGTERM:
                self.add_repository(server)
            number = self.trigger(server, "a" if how == signal.SIGTERM else "b")
            queued = self.trigger(server, "c" if how == signal.SIGTERM else "d")
            status, claimed = self.claim(server)
            self.assertEqual((status, claimed["run"]), (200, number))
            self.assertEqual(server.stop(how), code)
            server = self.start()
            path = "/api/v1/runner/runs/%d/" % number
            status, beat = server.ask("POST", path + "heartbeat", self.admin,
                                      {"lease": claimed["lease"], "state": "building"})
            self.assertEqual((status, beat), (200, {"cancel": False}))
            self.assertEqual(server.ask("GET", "/api/v1/runs/%d" % number, self.admin)[1]["state"], "building")
            self.assertEqual(server.ask("GET", "/api/v1/runs/%d" % queued, self.admin)[1]["state"], "queued")
            for each in (number, queued):
                self.assertEqual(server.ask("POST", "/api/v1/runs/%d/cancel" % each, self.admin)[0], 200)
            self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
