#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the packages and tries what they hold, unpacked: packages_test.py BUILD."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop()).resolve()
FOLDER = BUILD / "packages"


def output(*words, **how):
    argv = [str(word) for word in words]
    return subprocess.run(argv, check=True, capture_output=True, text=True, timeout=240, **how).stdout


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for old in FOLDER.glob("kernelgate*"):
            if old.is_file():
                old.unlink()
        output("cmake", "--build", BUILD, "--target", "packages")
        cls.folder = tempfile.TemporaryDirectory(prefix="kernelgate packages ")
        cls.root = pathlib.Path(cls.folder.name)
        [cls.deb], [cls.archive] = FOLDER.glob("*.deb"), FOLDER.glob("*.tar.xz")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def unpacked(self, name, *words):
        place = self.root / name
        place.mkdir()
        output(*words, place)
        return place

    def test_the_debian_package_names_its_needs_and_brings_no_library(self):
        place = self.unpacked("deb", "dpkg-deb", "-x", self.deb)
        depends = output("dpkg-deb", "-f", self.deb, "Depends")
        for name in ("libc6", "libcurl4", "libsqlite3-0", "bubblewrap", "git"):
            self.assertIn(name, depends)
        for path in ("usr/bin/kernelgate", "usr/share/man/man1/kernelgate.1", "usr/share/doc/kernelgate/LICENSE",
                     "usr/share/bash-completion/completions/kernelgate", "usr/share/zsh/vendor-completions/_kernelgate",
                     "usr/share/fish/vendor_completions.d/kernelgate.fish", "usr/lib/sysusers.d/kernelgate.conf",
                     "usr/lib/systemd/system/kernelgate-server.service",
                     "usr/lib/systemd/system/kernelgate-runner.service",
                     "usr/share/doc/kernelgate/apparmor/kernelgate-bwrap"):
            self.assertTrue((place / path).is_file(), path)
        self.assertFalse((place / "usr/lib/kernelgate").exists())
        self.assertRegex(output(place / "usr/bin/kernelgate", "--version"), r"^kernelgate \d")

    def test_the_archive_brings_every_library_but_glibcs(self):
        place = self.unpacked("archive", "tar", "-xf", self.archive, "-C")
        [program] = place.glob("*/bin/kernelgate")
        theirs = (program.parent.parent / "lib" / "kernelgate").resolve()
        for line in output("ldd", program).splitlines():
            found = re.match(r"\s*(\S+) => (.+) \(0x", line)
            if not found:
                continue
            ours = found[1].startswith(("libc.", "libm.", "libresolv.", "libdl.", "libpthread.", "librt."))
            self.assertEqual(pathlib.Path(found[2]).resolve().parent == theirs, not ours, line)
        needed = output("objdump", "-T", program, *theirs.iterdir())
        versions = {tuple(map(int, word[7:].strip(")").split("."))) for word in needed.split()
                    if word.startswith("(GLIBC_2.")}
        self.assertLessEqual(max(versions), (2, 36))
        self.assertRegex(output(program, "--version"), r"^kernelgate \d")

    def test_the_manual_has_every_command(self):
        text = (BUILD / "packaging" / "kernelgate.1").read_text(encoding="utf-8")
        for title in ("kernelgate run", "kernelgate runs show", "kernelgate hook install"):
            self.assertIn(f'.SH "{title}"', text)

    def test_the_completion_of_bash_asks_the_program(self):
        place = self.unpacked("bash", "dpkg-deb", "-x", self.deb)
        script = (f'source "{place}/usr/share/bash-completion/completions/kernelgate"; COMP_CWORD=1; '
                  f'COMP_WORDS=("{place}/usr/bin/kernelgate" due); _kernelgate; echo "${{COMPREPLY[*]}}"')
        self.assertEqual(output("bash", "-c", script, env={**os.environ, "LC_ALL": "C"}).strip(), "duel")

    def test_the_units_are_understood(self):
        text = (pathlib.Path(__file__).parent / "systemd" / "kernelgate-runner.service").read_text(encoding="utf-8")
        flags = output(BUILD / "kernelgate", "runner", "--help") + output(BUILD / "kernelgate", "server", "--help")
        for flag in ("--server", "--token-file", "--work", "--listen", "--data"):
            self.assertIn(flag, flags)
        self.assertIn("Delegate=yes", text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
