#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The repository that examples/triton_softmax_matmul makes, as far as no GPU is needed: triton_example_test.py."""

import ast
import subprocess
import tempfile
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/triton_softmax_matmul"


class TestExample(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.repository = Path(self.folder.name) / "repository"
        self.script("make_repository.sh", self.repository).check_returncode()

    def tearDown(self):
        self.folder.cleanup()

    def script(self, name, *words):
        return subprocess.run(["sh", EXAMPLE / name, *words], capture_output=True, text=True, timeout=60)

    def git(self, *words):
        command = ["git", "-C", self.repository, *words]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout

    def changed(self, before, after):
        """(removed, added) lines of the only file that differs."""
        diff = self.git("diff", "--unified=0", before, after).splitlines()
        self.assertEqual([line for line in diff if line.startswith("+++")], ["+++ b/kernels.py"])
        return [[line for line in diff if line.startswith(sign) and not line.startswith(sign * 3)] for sign in "-+"]

    def test_each_commit_is_one_change(self):
        self.assertEqual(len(self.git("log", "--format=%s").splitlines()), 3)
        removed, added = self.changed("base", "same")
        self.assertEqual((len(removed), len(added)), (1, 1))
        self.assertTrue(removed[0].startswith('-"""'))
        removed, added = self.changed("same", "slow")
        self.assertEqual([line.replace("num_stages=3", "num_stages=1")[1:] for line in removed], [added[0][1:]])

    def test_the_programs_are_python_and_the_manifest_names_them(self):
        for name in ("kernels.py", "bench.py", "kernelgate_suite.py"):
            ast.parse((self.repository / name).read_text())
        manifest = tomllib.loads((self.repository / "kernelgate.toml").read_text())
        self.assertEqual(manifest["suite"][0]["format"], "samples")
        self.assertIn("bench.py", manifest["suite"][0]["run"])

    def test_a_folder_that_is_there_is_left_alone(self):
        self.assertEqual(self.script("make_repository.sh", self.repository).returncode, 2)
        self.assertEqual(self.script("trial.sh").returncode, 2)


if __name__ == "__main__":
    unittest.main()
