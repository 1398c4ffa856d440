#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the pages against the project: docs_test.py ROOT [KERNELGATE].

Relative links resolve, the headings they name exist, and docs/CLI.md has a section for each subcommand that names
each of its flags.
"""
import os
import re
import subprocess
import sys

from tidy import list_files

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
EVERYWHERE = ("--help", "--log-level", "--version")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def anchors_of(text):
    """The anchors that GitHub makes of a page's headings."""
    headings = re.findall(r"^#+\s+(.*)$", FENCE.sub("", text), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.replace("`", "")).strip().lower().replace(" ", "-") for heading in headings}


def broken_links(root, page):
    text = FENCE.sub("", read(os.path.join(root, page)))
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(root, os.path.dirname(page), name)) if name else os.path.join(root, page)
        if not os.path.exists(path):
            yield f"{page}: no such file: {target}"
        elif anchor and path.endswith(".md") and anchor not in anchors_of(read(path)):
            yield f"{page}: no such heading: {target}"


def help_of(executable, *command):
    return subprocess.run([executable, *command, "--help"], capture_output=True, text=True, check=True).stdout


def subcommands_of(text):
    _, _, below = text.partition("\nSubcommands:\n")
    return re.findall(r"^  ([a-z][a-z-]*)\b", below.split("\n\n")[0], re.M)


def undescribed(root, executable):
    sections = dict(re.findall(r"^## kernelgate ([a-z-]+)\n(.*?)(?=^## |\Z)", read(os.path.join(root, "docs/CLI.md")),
                               re.M | re.S))
    for command in subcommands_of(help_of(executable)):
        if command not in sections:
            yield f"docs/CLI.md: no section '## kernelgate {command}'"
            continue
        pages = [help_of(executable, command)]
        pages += [help_of(executable, command, inner) for inner in subcommands_of(pages[0])]
        for flag in sorted({flag for page in pages for flag in re.findall(r"--[a-z][a-z-]+", page)}):
            if flag not in EVERYWHERE and not re.search(re.escape(flag) + r"(?![a-z-])", sections[command]):
                yield f"docs/CLI.md: 'kernelgate {command}' does not mention {flag}"


def main():
    root = os.path.abspath(sys.argv[1])
    found = [line for page in list_files(root) if page.endswith(".md") for line in broken_links(root, page)]
    if len(sys.argv) > 2:
        found += undescribed(root, sys.argv[2])
    print("\n".join(found) or "docs: links resolve, subcommands are described")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
