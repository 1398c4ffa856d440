#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs ctest on a planted program through suites.cmake, and scripts/lib/failed_cases.awk on its log."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = """#!/bin/sh
case "$1" in
  --gtest_list_tests)
    printf 'Running main() from x.cc\\nGood.\\n  One\\n  Two\\n'
    printf 'All/Bad.  # TypeParam = int\\n  Of/0\\nCrash.\\n  Now\\n' ;;
  --gtest_filter=Good.*) printf '[ RUN      ] Good.One\\n[       OK ] Good.One (0 ms)\\n' ;;
  --gtest_filter=All/Bad.*)
    printf '[ RUN      ] All/Bad.Of/0\\n[  FAILED  ] All/Bad.Of/0, where GetParam() = 7 (3 ms)\\n'
    printf '[  FAILED  ] 1 test, listed below:\\n[  FAILED  ] All/Bad.Of/0, where GetParam() = 7\\n'
    exit 1 ;;
  --gtest_filter=Crash.*) printf '[ RUN      ] Crash.Now\\n'; kill -SEGV $$ ;;
  *) exit 9 ;;
esac
"""


class Suites(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "a path with spaces"
        self.folder.mkdir()
        self.program = self.folder / "program"
        (self.folder / "CTestTestfile.cmake").write_text(
            f'set(KG_PROGRAM "{self.program}")\nset(KG_PREFIX layer)\nset(KG_PROPERTIES TIMEOUT 60 LABELS some)\n'
            f'include("{ROOT}/tools/cmake/suites.cmake")\n', encoding="utf-8")

    def plant(self, text):
        self.program.write_text(text, encoding="utf-8")
        os.chmod(self.program, 0o755)

    def ctest(self, *arguments):
        done = subprocess.run(["ctest", *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_each_suite_is_a_test_and_the_failed_cases_are_named(self):
        self.plant(PROGRAM)
        code, said = self.ctest("-L", "some")
        self.assertNotEqual(code, 0)
        for line in ["layer.Good ....", "layer.All/Bad ....", "layer.Crash ....", "2 tests failed out of 3"]:
            self.assertIn(line, said)
        cases = subprocess.run(["awk", "-f", ROOT / "scripts/lib/failed_cases.awk", "Testing/Temporary/LastTest.log"],
                               cwd=self.folder, capture_output=True, text=True, check=True)
        self.assertEqual(cases.stdout, "failed: All/Bad.Of/0\nended the program: Crash.Now\n")

    def test_a_program_that_lists_nothing_is_an_error(self):
        self.plant("#!/bin/sh\nexit 0\n")
        code, said = self.ctest()
        self.assertNotEqual(code, 0)
        self.assertIn("lists no tests", said)

    def test_a_program_that_is_not_built_fails(self):
        code, said = self.ctest()
        self.assertNotEqual(code, 0)
        self.assertIn("layer_test_NOT_BUILT", said)


if __name__ == "__main__":
    unittest.main()
