#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes VERSION.json and VERSION.list of this folder with the pytest-benchmark of the python3 at hand (Debian 12:
# python3-pytest-benchmark). The flags are those of a process under measurement.
set -eu
cd "$(dirname "$0")"
version=$(python3 -c 'import pytest_benchmark; print(pytest_benchmark.__version__)')
python3 -m pytest --rootdir=. -p no:cacheprovider --collect-only -q >"$version.list"
python3 -m pytest --rootdir=. -p no:cacheprovider --benchmark-only --benchmark-json="$version.json" \
  --benchmark-min-rounds=12 --benchmark-min-time=0.0005 --benchmark-max-time=0.000001 --benchmark-warmup=off || true
python3 -m pytest --rootdir=. -p no:cacheprovider --benchmark-only --benchmark-autosave \
  --benchmark-storage=file://saved --benchmark-min-rounds=3 --benchmark-max-time=0.000001 >/dev/null || true
mv saved/*/*.json "$version.saved.json"
rm -rf saved .benchmarks __pycache__
sed -i -e 's/"node": .*,/"node": "golden",/' -e 's/"release": .*,/"release": "",/' -e 's/"id": ".*",/"id": "",/' \
  -e 's/"branch": .*/"branch": ""/' "$version.json" "$version.saved.json"
