#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes NAME.kgb beside itself: a bundle of a run that the given program measured here and judged.
#   tests/golden/bundles/make.sh PROGRAM NAME
# Run again, under a new name, when the version of the rule changes; bundles of rules that no program knows any more go.
set -eu
program=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
git init -q -b main
cp "$here/../../support/table_suite.sh" suite.sh
cat >kernelgate.toml <<'END'
schema = 1
[build]
build = "cp {source}/suite.sh {source}/times {build}/"
[[suite]]
name = "table"
run = "{build}/suite.sh"
END
printf 'steady\t1e6\tnoisy 0.002\nslower\t2e5\tnoisy 0.004\nfaster\t3e4\tnoisy 0.004\nloud\t1e7\tnoisy 0.2\n' >times
printf 'wavering\t5e5\tnoisy 0.02\ngone\t100\n' >>times
git add -A && git commit -qm "Base"
sed -i 's/^slower\t2e5/slower\t2.08e5/; s/^faster\t3e4/faster\t2.8e4/; s/^gone/new/' times
git commit -qam "Head"
"$program" run --no-sandbox || true
"$program" export --run 1 --output "$here/$2.kgb"
