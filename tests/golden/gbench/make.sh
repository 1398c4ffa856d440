#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Usage: make.sh CLONE-OF-GOOGLE-BENCHMARK. Builds suite.cpp against each version and writes VERSION.json, VERSION.list.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for version in 1.5.0 1.6.1 1.7.1 1.8.3 1.9.4; do
  mkdir "$work/$version"
  git --git-dir="$1" archive "v$version" | tar -x -C "$work/$version"
  defines="-DHAVE_STD_REGEX -DHAVE_STEADY_CLOCK -DBENCHMARK_STATIC_DEFINE -DBENCHMARK_VERSION=\"v$version\""
  case $version in 1.8.* | 1.9.*) defines="$defines -DHAS_SKIP_WITH_MESSAGE" ;; esac
  sources=$(find "$work/$version/src" -name '*.cc' ! -name benchmark_main.cc)
  # shellcheck disable=SC2086
  c++ -std=c++17 -O1 -w -include limits $defines -I"$work/$version/include" \
    "$here/suite.cpp" $sources -pthread -o "$work/suite"
  "$work/suite" --benchmark_list_tests=true >"$here/$version.list"
  "$work/suite" --benchmark_min_time=0.0001 --benchmark_repetitions=3 \
    --benchmark_out="$here/$version.json" --benchmark_out_format=json >/dev/null 2>&1
  sed -i -e 's/"host_name": .*,/"host_name": "golden",/' -e 's/"executable": .*,/"executable": "suite",/' \
    "$here/$version.json"
done
