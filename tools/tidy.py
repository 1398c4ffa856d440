#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules of the house that a compiler does not: tidy.py [ROOT]. Prints path:line: rule: message.

Plain python3, well under a second, run by CTest. tidy_test.py plants one violation of each rule.
"""
import ast
import os
import re
import subprocess
import sys

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
LINE_WIDTH_MAX = 120
SPDX = "SPDX-License-Identifier: Apache-2.0"

# Folder -> whom it may include besides itself. A folder that is not named here may include nobody's headers.
EDGES = {
    "core": set(),
    "platform": {"core"},
    "db": {"core"},
    "service": {"core", "db"},
    "client": {"core", "platform"},
    "runner": {"core", "platform", "client"},
    "server": {"core", "platform", "service"},
    "commands": {"core", "platform", "client", "service", "runner", "server"},
    "kernels": set(),
    "examples": {"kernels"},
    "tests": {"core", "platform", "client", "db", "service", "runner", "server", "commands", "kernels"},
}
# Their tests may include db/; they themselves may not even name what is in it.
STORE_TESTS = ("server", "commands")
# Inside a folder: a floor may include those named here, and itself.
INNER_EDGES = {
    "core": {
        "units": set(),
        "log": {"units"},
        "stats": {"units"},
        "history": {"units", "stats"},
        "shape": {"units", "stats"},
        "decision": {"units", "stats", "shape"},
        "wire": {"units", "stats", "decision", "bisect"},
        "ledger": {"units", "stats", "decision", "wire", "report"},
        "manifest": {"units", "decision"},
        "simulation": {"units", "stats", "decision"},
        "report": {"units", "decision", "wire"},
        "bisect": {"units", "decision"},
    },
    "platform": {
        "files": set(),
        "process": {"files"},
        "git": {"process", "files"},
        "http": {"files"},
    },
}
# core/decision: what was measured <- the rule <- the words <- the decision itself, beside the three.
DECISION_EDGES = {"evidence": set(), "rule": {"evidence"}, "explain": {"evidence", "rule"}}
FOLDER_FILES_MAX = 40

# (rule, pattern in code without comments and strings, allowed path prefixes, only these suffixes, what to do)
BANNED = [
    ("endl", r"\bstd::endl\b", (), None, "write '\\n'"),
    ("raw-new", r"(?m)^(?!.*unique_ptr<).*(?<!operator )(?<!<)\bnew\b", (), None, "use make_unique or a container"),
    ("sqlite", r"\bsqlite3_\w+|[<\"]sqlite3\.h[>\"]", ("db/", "tests/support/", "tests/bench/"), None,
     "only db/ sees SQLite"),
    ("beast", r"boost/beast|\bbeast::", ("server/http/", "tests/support/"), None, "only server/http sees Beast"),
    ("json-header", r"\bnlohmann\b",
     ("core/wire/json_fields.hpp", "core/wire/plain_json.hpp", "runner/suite/bare_words.hpp", "tests/support/"),
     (".hpp",),
     "nlohmann/json stays in .cpp files"),
    ("limit", r"(?m)^ *(?:inline )?constexpr [\w:<>]+ k\w+(?:Max|Timeout) *[={]",
     ("core/units/limits.hpp", "kernels/"), None, "limits stand in core/units/limits.hpp, each with its reason"),
    ("nvml", r"\bnvml[A-Z]\w+|[<\"]nvml\.h[>\"]",
     ("runner/gpu/", "runner/testbed/", "kernels/", "tests/support/"), None,
     "only runner/gpu and runner/testbed see NVML"),
    ("cuda", r"\bcuda[A-Z]\w+\s*\(|[<\"]cuda(_\w+)?\.h[>\"]", ("runner/gpu/", "kernels/"), None,
     "only kernels/ and runner/gpu see CUDA"),
]

CODE = (".cpp", ".hpp", ".cu", ".cuh")
HEADERS = (".hpp", ".cuh")
TESTS = ("_test.cpp", "_test.hpp", "_bench.cpp", "_test_main.cpp")
SCRIPTS = (".py", ".sh")
WEB = (".ts", ".tsx", ".mjs", ".css")
MACHINE_PATH = re.compile(r"/(?:root|home|Users)/\w")
# One pass over C++: raw strings, comments, strings and characters give way to as many line breaks as they held.
NOT_CODE = re.compile(
    r'R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"|//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)+'", re.S)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


class Tidy:
    def __init__(self, root):
        self.root = root
        self.findings = []
        self.files = list_files(root)
        self.cmake = {path: self.read(path) for path in self.files if is_cmake(path)}

    def read(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as file:
            return file.read()

    def say(self, path, line, rule, message):
        self.findings.append(f"{path}:{line}: {rule}: {message}")

    def run(self):
        for path in self.files:
            text = self.read(path) if is_text(path) else None
            if text is None:
                continue
            check_words(self, path, text)
            if path.endswith(CODE) and not is_data(path):
                check_code(self, path, text)
            elif path.endswith(SCRIPTS) or text.startswith("#!"):
                check_script(self, path, text)
            elif path.endswith(WEB) and not is_data(path):
                check_size(self, path, text.split("\n"))
        check_folders(self)
        return self.findings


def list_files(root):
    """What git would commit; the whole tree where there is no git."""
    command = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode == 0:
        names = done.stdout.decode("utf-8", "replace").split("\0")
    else:
        names = [os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, found in os.walk(root) if "/build" not in folder for name in found]
    return sorted(name for name in set(names) if name and os.path.isfile(os.path.join(root, name)))


def is_cmake(path):
    return path.endswith((".cmake", "CMakeLists.txt", "/build.sh"))  # a replay that needs no cmake has a script


def is_data(path):
    printed = ("dashboards/dist/", "dashboards/src/lib/wire.ts")
    return path.startswith(("tests/golden/", "tests/data/", "baselines/", *printed))


def is_text(path):
    known = CODE + SCRIPTS + (".md", ".txt", ".cmake", ".toml", ".sql", ".yml", ".yaml", ".in", ".html") + WEB
    return path.endswith(known) or path.startswith(("scripts/", ".ci/", "docker/"))


def code_of(text):
    """The text without comments and strings; include lines keep their file names."""
    kept = re.sub(r'^(\s*#\s*include\s+)"([^"\n]+)"', r"\1<\2>", text, flags=re.M)
    return NOT_CODE.sub(lambda match: "" if match.group().startswith("//") else
                        ("" if match.group().startswith("/*") else '""') + "\n" * match.group().count("\n"), kept)


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def check_words(tidy, path, text):
    if path == "tools/tidy.py" or path == "tools/tidy_test.py" or is_data(path):
        return
    for match in re.finditer(r"\b(?:TODO|FIXME|XXX)\b(?![^\n]*#\d)", text):
        tidy.say(path, line_of(text, match.start()), "todo", "name an issue: TODO(#7)")
    for match in MACHINE_PATH.finditer(text):
        tidy.say(path, line_of(text, match.start()), "machine-path", "no path of one machine: " + match.group())


def check_code(tidy, path, text):
    lines = text.split("\n")
    check_shape(tidy, path, lines, "// " + SPDX, 0)
    code = code_of(text)
    for rule, pattern, allowed, suffixes, advice in BANNED:
        if path.startswith(allowed) or (suffixes and not path.endswith(suffixes)):
            continue
        for match in re.finditer(pattern, code):
            tidy.say(path, line_of(code, match.start()), rule, advice)
    if path.startswith(STORE_TESTS) and not path.endswith(TESTS):
        for match in re.finditer(r"\bdb::", code):
            tidy.say(path, line_of(code, match.start()), "edge", "what db/ has is asked of service/")
    check_includes(tidy, path, text)
    for name, start, count in functions_of(code):
        if count > FUNCTION_LINES_MAX:
            tidy.say(path, start, "function-length", f"{name} has {count} lines, {FUNCTION_LINES_MAX} at most")
    if path.endswith(HEADERS):
        check_header(tidy, path, lines)
    if not is_built(tidy, path):
        tidy.say(path, 1, "not-built", "no CMakeLists.txt lists this file, or the FOLDERS of none name its folder")


def check_script(tidy, path, text):
    lines = text.split("\n")
    check_shape(tidy, path, lines, "# " + SPDX, 1 if lines[0].startswith("#!") else 0)
    if not path.endswith(".py"):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            count = node.end_lineno - node.lineno + 1
            if count > FUNCTION_LINES_MAX:
                tidy.say(path, node.lineno, "function-length", f"{node.name} has {count} lines")


def check_shape(tidy, path, lines, spdx, spdx_at):
    if len(lines) <= spdx_at or lines[spdx_at] != spdx:
        tidy.say(path, spdx_at + 1, "spdx", f"the line must be '{spdx}'")
    check_size(tidy, path, lines)


def check_size(tidy, path, lines):
    count = len(lines) - (lines[-1] == "")
    if count > FILE_LINES_MAX:
        tidy.say(path, count, "file-length", f"{count} lines, {FILE_LINES_MAX} at most")
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_WIDTH_MAX:
            tidy.say(path, number, "line-width", f"{len(line)} characters, {LINE_WIDTH_MAX} at most")


def check_header(tidy, path, lines):
    rest = [line.strip() for line in lines[1:] if line.strip()]
    if not rest or rest[0] != "#pragma once":
        tidy.say(path, 2, "pragma-once", "'#pragma once' follows the SPDX line")
    elif len(rest) < 2 or not rest[1].startswith("//"):
        tidy.say(path, 4, "contract", "a header opens with a comment: what it owns, who may call it, what it won't do")


def check_includes(tidy, path, text):
    top, _, below = path.partition("/")
    for match in INCLUDE.finditer(text):
        target, line = match.group(1), line_of(text, match.start(1))
        beside = os.path.join(os.path.dirname(path), target)
        if "/" not in target and beside not in tidy.files and any(target in text for text in tidy.cmake.values()):
            continue  # made by the build
        if not os.path.exists(os.path.join(tidy.root, target)):
            if top in ("kernels", "examples"):
                continue  # these also build apart from this tree
            tidy.say(path, line, "include-path", f'"{target}" is not relative to the root')
            continue
        to, _, to_below = target.partition("/")
        if to == "tests" and (path.endswith(TESTS) or top == "tests"):
            continue  # fixtures and fakes
        if to == "db" and top in STORE_TESTS and path.endswith(TESTS):
            continue  # a store that a test fills or looks into
        if to != top and to not in EDGES.get(top, set()):
            tidy.say(path, line, "edge", f"{top}/ must not include {to}/")
        if top == to and not path.endswith(TESTS):
            check_inner_edge(tidy, path, target, line)


def check_inner_edge(tidy, path, target, line):
    """Between the floors of one top folder."""
    top, inner, *below = path.split("/")[:-1] + [""]
    _, to_inner, *to_below = target.split("/")[:-1] + [""]
    floors = INNER_EDGES.get(top, {})
    if floors and inner != to_inner and to_inner not in floors.get(inner, set()):
        tidy.say(path, line, "edge", f"{top}/{inner} must not include {top}/{to_inner}")
    if top == "core" and inner == to_inner == "decision":
        floor, to_floor = below[0], to_below[0]
        if floor and floor != to_floor and to_floor not in DECISION_EDGES[floor]:
            tidy.say(path, line, "edge", f"core/decision/{floor} must not include core/decision/{to_floor}")


def is_built(tidy, path):
    """A CMake file of the folder or one above names the file, or its folder, relative to itself."""
    folder, name = os.path.split(path)
    top = path.split("/")[0]
    own = path.startswith("tests/support/") or name == "main.cpp"
    if own or (top in EDGES and top not in ("kernels", "examples", "tests") and names_folder(tidy, top, folder)):
        return True
    while True:
        relative = os.path.relpath(path, folder or ".")
        for script, text in tidy.cmake.items():
            if os.path.dirname(script) != folder:
                continue
            if re.search(r"(?<![\w./-])" + re.escape(relative) + r"(?![\w.-])", text):
                return True
        if not folder:
            return False
        folder = os.path.dirname(folder)


def names_folder(tidy, top, folder):
    inner = os.path.relpath(folder, top)
    text = tidy.cmake.get(f"{top}/CMakeLists.txt", "")
    return re.search(r"(?<![\w./-])" + re.escape(inner) + r"(?![\w./-])", text) is not None


def check_folders(tidy):
    """No folder is too full to be read at a glance."""
    count = {}
    for path in tidy.files:
        if path.endswith(CODE + WEB + (".py",)) and not is_data(path):
            count[os.path.dirname(path)] = count.get(os.path.dirname(path), 0) + 1
    for folder, files in count.items():
        if files > FOLDER_FILES_MAX:
            tidy.say(folder, 1, "folder-files", f"{files} files, {FOLDER_FILES_MAX} at most: split it")


SCOPE = re.compile(r"\b(?:namespace|class|struct|union|enum|extern)\b[^;=()]*$")


def functions_of(code):
    """(name, first line, number of lines) of each outermost block that a parameter list precedes."""
    out = []
    stack = []      # per open block: (the function's head or None, its start, where the text goes on after the block)
    head_start = 0  # where the text before the next brace begins
    for match in re.finditer(r"[{};]|^\s*#[^\n]*(?:\\\n[^\n]*)*", code, re.M):
        token, at = match.group(), match.start()
        if token == "{":
            head = code[head_start:at]
            first = head_start + len(head) - len(head.lstrip())
            if re.search(r"\)[\w\s]*:[^:].*[\w>]$", head, re.S):
                stack.append((None, first, head_start))  # a member's initialiser: the body is still to come
                continue
            inside = any(entry[0] for entry in stack)
            scope = SCOPE.search(re.sub(r"\balignas\([^)]*\)|\[\[[^]]*\]\]", "", head))
            stack.append((None if inside or scope or ")" not in head else head, first, None))
        elif token == "}" and stack:
            head, first, goes_on = stack.pop()
            if head:
                name = re.search(r"([\w:~]+)\s*\(", head)
                start = line_of(code, first)
                out.append((name.group(1) if name else "?", start, line_of(code, at) - start + 1))
            if goes_on is not None:
                head_start = goes_on
                continue
        head_start = match.end()
    return out


def main():
    root = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), ".."))
    findings = Tidy(root).run()
    for finding in findings:
        print(finding)
    print(f"tidy: {len(findings)} findings" if findings else "tidy: nothing to fix")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
