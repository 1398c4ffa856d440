#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the manual page of kernelgate from what its --help says: manual.py KERNELGATE OUT."""

import re
import subprocess
import sys


def help_of(program, *words):
    done = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True, timeout=30)
    return done.stdout


def commands_in(text):
    """The names below "SUBCOMMANDS:", each two blanks in."""
    part = re.split(r"(?im)^subcommands:\n", text)
    return re.findall(r"(?m)^  (\S+)", part[1].split("\n\n", 1)[0]) if len(part) > 1 else []


def literally(text):
    lines = (line.replace("\\", r"\e") for line in text.rstrip().splitlines())
    return "\n".join(r"\&" + line if line.startswith((".", "'")) else line for line in lines)


def sections(program, words, text):
    yield " ".join(["kernelgate", *words]), text
    for name in commands_in(text):
        yield from sections(program, [*words, name], help_of(program, *words, name).split("\nExit codes:")[0])


def page(program):
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()
    out = [f'.TH KERNELGATE 1 "" "kernelgate {version[1]}"', ".SH NAME",
           r"kernelgate \- performance-regression CI for GPU kernels", ".SH SYNOPSIS",
           r".B kernelgate", "[OPTIONS] COMMAND ..."]
    for title, text in sections(program, [], help_of(program)):
        out += [f'.SH "{title.upper() if title == "kernelgate" else title}"', ".nf", literally(text), ".fi"]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(page(sys.argv[1]))
