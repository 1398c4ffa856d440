#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants one violation of each rule of tidy.py in a temporary tree and expects exactly that finding."""
import os
import tempfile
import unittest

import tidy

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
HEADER = SPDX + "#pragma once\n\n// A thing. Owns nothing.\n\n"
CLEAN = {
    "core/CMakeLists.txt": "kg_library(x FOLDERS units stats decision/evidence decision/rule)\n",
    "core/units/a.hpp": HEADER + "struct A {};\n",
    "core/units/a.cpp": SPDX + '#include "core/units/a.hpp"\n',
    "core/stats/b.hpp": HEADER + '#include "core/units/a.hpp"\n',
    "core/decision/evidence/e.hpp": HEADER,
    "core/decision/rule/r.hpp": HEADER + '#include "core/decision/evidence/e.hpp"\n',
    "db/CMakeLists.txt": "kg_library(y FOLDERS . )\n",
    "db/d.hpp": HEADER + '#include "core/units/a.hpp"\n',
    "db/d.cpp": SPDX + '#include <sqlite3.h>\nint f() { return sqlite3_threadsafe(); }\n',
    "commands/CMakeLists.txt": "kg_library(z FOLDERS . run)\n",
    "commands/run/cmd_run.cpp": SPDX + "// new words in a comment: std::endl, sqlite3_open\n"
                                'const char* kText = "new std::endl sqlite3_open // not code";\n'
                       'const char* kRaw = R"x(new " sqlite3_open)x";\nchar c = \'"\'; // new\n',
    "tools/x.py": "#!/usr/bin/env python3\n# SPDX-License-Identifier: Apache-2.0\n",
    "docs/page.md": "A page.\n",
}


def findings_with(changes):
    with tempfile.TemporaryDirectory() as root:
        for path, text in {**CLEAN, **changes}.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        return tidy.Tidy(root).run()


def function(lines):
    return "int f() {\n" + "  g();\n" * (lines - 2) + "}\n"


class PlantedViolations(unittest.TestCase):
    def expect(self, rule, path, text, line=None):
        found = findings_with({path: text})
        self.assertEqual(len(found), 1, found)
        place, rest = found[0].split(": ", 1)
        self.assertTrue(rest.startswith(rule + ":"), found)
        self.assertEqual(place.split(":")[0], path)
        if line:
            self.assertEqual(place.split(":")[1], str(line))

    def test_a_clean_tree_has_no_findings(self):
        self.assertEqual(findings_with({}), [])

    def test_edges_between_folders(self):
        self.expect("edge", "core/units/a.cpp", SPDX + '#include "db/d.hpp"\n', line=2)
        self.expect("edge", "core/units/a.cpp", SPDX + '#include "core/stats/b.hpp"\n')
        self.expect("edge", "core/decision/evidence/e.hpp", HEADER + '#include "core/decision/rule/r.hpp"\n')
        self.expect("edge", "db/d.cpp", SPDX + '#include "tools/x.py"\n')
        self.expect("edge", "commands/run/a.cpp", SPDX + '#include "db/d.hpp"\n', line=2)
        self.expect("edge", "commands/run/a.cpp", SPDX + "void f(db::Run& run);\n", line=2)
        test = SPDX + '#include "db/d.hpp"\nint a = db::f();\n'
        self.assertEqual(findings_with({"commands/run/a_test.cpp": test}), [])
        self.expect("include-path", "db/d.cpp", SPDX + '#include "d.hpp"\n')

    def test_banned_words(self):
        for rule, code in [
                ("endl", "auto& e = std::endl<char>;"), ("raw-new", "int* p = new int;"),
                ("sqlite", "int v = sqlite3_libversion_number();"), ("sqlite", "#include <sqlite3.h>"),
                ("beast", "#include <boost/beast/core.hpp>"), ("nvml", "int x = nvmlInit_v2();"),
                ("limit", "constexpr int kThingsMax = 3;"),
                ("cuda", "#include <cuda_runtime.h>"), ("cuda", "int e = cudaDeviceReset();")]:
            self.expect(rule, "commands/run/cmd_run.cpp", SPDX + code + "\n", line=2)
        owned = "std::unique_ptr<A> a(new A);\n#include <new>\n"  # a constructor may be private
        self.assertEqual(findings_with({"db/d.cpp": SPDX + owned}), [])
        self.expect("json-header", "db/d.hpp", HEADER + "#include <nlohmann/json.hpp>\n")

    def test_lengths(self):
        self.expect("file-length", "db/d.cpp", SPDX + "int x;\n" * 400)
        self.assertEqual(findings_with({"db/d.cpp": SPDX + "int x;\n" * 399}), [])
        self.expect("line-width", "db/d.cpp", SPDX + "// " + "x" * 118 + "\n", line=2)
        for name in ("src/a.ts", "src/a.tsx", "src/a.css", "e2e/a.mjs"):
            self.expect("line-width", "dashboards/" + name, "// " + "x" * 118 + "\n", line=1)
        self.expect("file-length", "dashboards/src/a.tsx", "const x = 1;\n" * 401)
        self.expect("function-length", "db/d.cpp", SPDX + "namespace a {\n" + function(61) + "}\n", line=3)
        self.assertEqual(findings_with({"db/d.cpp": SPDX + function(60) * 2}), [])
        member = "struct S {\n" + function(61) + "};\n"
        self.expect("function-length", "db/d.cpp", SPDX + member, line=3)
        constructor = "S::S(int a)\n    : a_{a}, b_(a) {\n" + "  if (a) { g(); }\n" * 60 + "}\n"
        self.expect("function-length", "db/d.cpp", SPDX + constructor, line=2)
        python = CLEAN["tools/x.py"] + "def f():\n" + "    pass\n" * 60
        self.expect("function-length", "tools/x.py", python)

    def test_files_that_nothing_builds(self):
        self.expect("not-built", "db/unnamed/lost.cpp", SPDX)
        self.expect("not-built", "commands/lost/cmd_lost.cpp", SPDX)

    def test_full_folders(self):
        full = {f"db/f{number}.cpp": SPDX for number in range(39)}
        found = findings_with(full)
        self.assertEqual(len(found), 1, found)
        self.assertIn("db:1: folder-files: 41 files", found[0])

    def test_marks_and_headers(self):
        self.expect("todo", "docs/page.md", "TODO: write this\n")
        self.assertEqual(findings_with({"docs/page.md": "TODO(#7): write this\n"}), [])
        self.expect("spdx", "db/d.cpp", "int x;\n", line=1)
        self.expect("spdx", "tools/x.py", "#!/usr/bin/env python3\n")
        self.expect("pragma-once", "db/d.hpp", SPDX + "// A thing.\n")
        self.expect("contract", "db/d.hpp", SPDX + "#pragma once\n\nstruct D {};\n")

    def test_paths_of_one_machine(self):
        for path in ["/ro" "ot/x", "/ho" "me/me"]:
            self.expect("machine-path", "docs/page.md", f"see {path}\n", line=1)


if __name__ == "__main__":
    unittest.main()
