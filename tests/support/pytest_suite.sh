#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Answers as pytest with pytest-benchmark does, from the folder of its golden results: pytest_suite.sh FOLDER.
folder=$1
shift
for flag in "$@"; do
  case $flag in
    --collect-only) exec cat "$folder/3.2.2.list" ;;
    --benchmark-json=*) cat "$folder/3.2.2.json" >"${flag#*=}" ;;
  esac
done
echo "1 failed, 4 passed" && exit 1
