#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks C++ files with clang-format and clang-tidy: lint.py [--all | --changed] [--format-only].

Without --all, clang-tidy reads the files that differ from the commit before HEAD (the work tree included), headers by
way of the source beside them; clang-format always reads the whole tree. Prints what the tools print; exits 1 on any
finding. clang-tidy 14 cannot read .cu files.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FOLDERS = ("core/", "platform/", "db/", "service/", "client/", "runner/", "server/", "commands/")
FLAGS = ["-std=c++20", "-I" + ROOT, "-DSPDLOG_FMT_EXTERNAL=1", "-DBOOST_ASIO_SEPARATE_COMPILATION",
         "-DBOOST_BEAST_SEPARATE_COMPILATION", "-Wno-everything"]


def git(*arguments):
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.split()


def formatted(files):
    """True where clang-format would leave each file as it is."""
    done = subprocess.run(["clang-format", "--dry-run", "-Werror", *files], cwd=ROOT, capture_output=True, text=True,
                          check=False)
    sys.stdout.write("\n".join(done.stderr.splitlines()[:40]) + ("\n" if done.stderr else ""))
    if done.returncode != 0:
        print("fix: clang-format -i on the files named above")
    return done.returncode == 0


def to_read(every):
    """Sources that clang-tidy can read alone: a changed header stands for the source of its name."""
    if every:
        names = git("ls-files", *(folder + "*.cpp" for folder in FOLDERS))
    else:
        names = git("diff", "--name-only", "--diff-filter=d", "HEAD~1")
        names = [name[:-4] + ".cpp" if name.endswith(".hpp") else name for name in names]
    own = {name for name in names if name.startswith(FOLDERS) and name.endswith(".cpp")}
    own = {name for name in own if not name.endswith(("_test.cpp", "_bench.cpp"))}
    return sorted(name for name in own if os.path.exists(os.path.join(ROOT, name)))


def tidy(name):
    done = subprocess.run(["clang-tidy", "--quiet", name, "--", *FLAGS], cwd=ROOT, capture_output=True, text=True,
                          check=False)
    return name, done.returncode, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="clang-tidy on every file")
    parser.add_argument("--format-only", action="store_true", help="clang-format alone")
    options = parser.parse_args()
    good = formatted(git("ls-files", "*.cpp", "*.hpp", "*.cu", "*.cuh"))
    if not options.format_only:
        files = to_read(options.all)
        with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            for name, code, text in pool.map(tidy, files):
                if code != 0:
                    good = False
                    print(f"{name}:\n{text}")
        print(f"clang-tidy: {len(files)} files")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
