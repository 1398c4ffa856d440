#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs scripts/lib/setup.sh against planted dpkg-query, apt-get, id and sudo: nothing is installed."""
import os
import shutil
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

PLANTED = {
    "dpkg-query": 'case " $MISSING " in *" ${!#} "*) exit 1 ;; *) printf installed ;; esac',
    "apt-get": """echo "apt-get $*" >>"$LOG"
case "$*" in
  *update*) touch "$LOG.updated" ;;
  -s*) if [ -n "${STALE:-}" ] && [ ! -f "$LOG.updated" ]; then echo "E: Unable to locate"; exit 100; fi
       echo "Inst libboost1.81-dev (1.81)"; [ -z "${REMOVES:-}" ] || echo "Remv $REMOVES [1.74]" ;;
esac""",
    "id": 'echo "${UID_SAID:-0}"',
    "sudo": 'echo "sudo $*" >>"$LOG"; exec "$@"',
}


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = os.path.join(self.folder.name, "a clone with spaces")
        os.makedirs(os.path.join(self.root, "scripts", "lib"))
        shutil.copy(os.path.join(HERE, "setup.sh"), os.path.join(self.root, "scripts", "lib"))
        self.bin = os.path.join(self.root, "bin")
        os.makedirs(self.bin)
        for name, text in PLANTED.items():
            self.plant(name, text)
        self.log = os.path.join(self.root, "log")

    def plant(self, name, text):
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/bash\n" + text + "\n")
        os.chmod(path, 0o755)

    def install(self, **variables):
        """(exit code, stdout, stderr, what apt-get was asked to do)"""
        command = 'set -euo pipefail; source "$1/scripts/lib/setup.sh"; kg_install_packages; printf "%s" "$KG_ROOT"'
        env = {"PATH": f"{self.bin}:/usr/bin:/bin", "LOG": self.log, "HOME": self.root, **variables}
        done = subprocess.run(["/bin/bash", "-c", command, "test", self.root], cwd="/", env=env, capture_output=True,
                              text=True, check=False, stdin=subprocess.DEVNULL)
        calls = []
        if os.path.exists(self.log):
            with open(self.log, encoding="utf-8") as file:
                calls = file.read().splitlines()
        return done.returncode, done.stdout, done.stderr, calls

    def test_where_all_is_there_nothing_is_asked_of_apt(self):
        code, out, err, calls = self.install(MISSING="")
        self.assertEqual((code, err, calls), (0, "", []))
        self.assertEqual(os.path.realpath(self.root), out)

    def test_says_what_is_installed_and_removed_before_it_does(self):
        code, _, err, calls = self.install(MISSING="libboost1.81-dev ccache", REMOVES="python3-scipy")
        self.assertEqual(code, 0)
        self.assertIn("missing: ccache libboost1.81-dev", err)
        self.assertIn("apt will install: libboost1.81-dev", err)
        self.assertIn("apt will REMOVE: python3-scipy", err)
        self.assertEqual(len(calls), 2, calls)
        self.assertTrue(calls[0].startswith("apt-get -s install"), calls)
        self.assertTrue(calls[1].endswith("install -y --no-install-recommends ccache libboost1.81-dev"), calls)

    def test_says_that_nothing_is_removed(self):
        _, _, err, _ = self.install(MISSING="ccache")
        self.assertIn("apt will remove nothing", err)

    def test_updates_the_lists_when_apt_does_not_know_a_package(self):
        code, _, _, calls = self.install(MISSING="ccache", STALE="yes")
        self.assertEqual(code, 0)
        self.assertEqual([("update" in call, "-y" in call) for call in calls],
                         [(False, False), (True, False), (False, False), (False, True)])

    def test_an_ordinary_user_goes_through_sudo_or_is_told(self):
        code, _, _, calls = self.install(MISSING="ccache", UID_SAID="1000")
        self.assertEqual(code, 0)
        as_root = "sudo env DEBIAN_FRONTEND=noninteractive apt-get"
        self.assertTrue(any(call.startswith(as_root) for call in calls), calls)
        os.remove(os.path.join(self.bin, "sudo"))
        if shutil.which("sudo", path="/usr/bin:/bin") is None:
            code, _, err, _ = self.install(MISSING="ccache", UID_SAID="1000")
            self.assertEqual(code, 2)
            self.assertIn("needs root or sudo", err)


if __name__ == "__main__":
    unittest.main()
