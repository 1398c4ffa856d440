#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The whole trial on a machine with a GPU: trial.sh KERNELGATE [FOLDER]. KERNELGATE is the executable, its helpers
# beside it; FOLDER a new one (default: a temporary one, which is kept). Python is that of VIRTUAL_ENV or the first on
# PATH, with torch and Triton; kernelgate finds it by itself and shows it in its sandbox. Prints the verdicts and a line
# PASS or FAIL for each; exit code 1 on any FAIL.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { echo "usage: trial.sh KERNELGATE [FOLDER]" >&2; exit 2; }
kernelgate=$(realpath "$1")
folder=${2:-$(mktemp -d)/repository}
[ -z "${VIRTUAL_ENV:-}" ] || PATH="$VIRTUAL_ENV/bin:$PATH"
export PATH
command -v python3
python3 -c 'import torch, triton; print("torch", torch.__version__, "triton", triton.__version__)'
sh "$here/make_repository.sh" "$folder"
failed=0

judge() { # HEAD EXIT-CODE WORDS-OF-THE-TABLE
  code=0
  "$kernelgate" run --repo "$folder" --base base --head "$1" --all >"$folder.$1.txt" || code=$?
  cat "$folder.$1.txt"
  if [ "$code" -eq "$2" ] && grep -qE "$3" "$folder.$1.txt"; then
    echo "PASS: $1 ended with $code"
  else
    echo "FAIL: $1 ended with $code, and $2 and a line '$3' were expected"
    failed=1
  fi
}

judge same 0 'row_softmax'
judge slow 1 'product/size=4096.*regressed|regressed.*product/size=4096'
exit $failed
