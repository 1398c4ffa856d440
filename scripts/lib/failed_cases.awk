# SPDX-License-Identifier: Apache-2.0
# awk -f failed_cases.awk LastTest.log: the cases that failed, since ctest's own summary names suites alone.
/^\[ RUN      \] / { running = $4 }
/^\[       OK \] |^\[  SKIPPED \] / { running = "" }
/^\[  FAILED  \] .* \([0-9]+ ms\)$/ {
  sub(/,$/, "", $4)
  failed = failed "failed: " $4 "\n"
  running = ""
}
/^Test Failed\.$/ { printf "%s%s", failed, running ? "ended the program: " running "\n" : "" }
/^Test (Failed|Passed)\.$/ { failed = running = "" }
