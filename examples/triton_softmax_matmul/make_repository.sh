#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the example's git repository in a new folder: make_repository.sh FOLDER. Three commits with tags: base; same,
# which changes a comment; slow, which keeps one tile of the product in flight in place of three.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 1 ] || { echo "usage: make_repository.sh FOLDER" >&2; exit 2; }
[ ! -e "$1" ] || { echo "make_repository.sh: $1 is there already" >&2; exit 2; }
mkdir -p "$1"
cp "$here"/repository/* "$here/../../tools/suite/kernelgate_suite.py" "$1/"
cd "$1"
git init --quiet --initial-branch=main .

record() { # TAG SUBJECT
  git add --all
  git -c user.name="Example" -c user.email="example@example.org" commit --quiet -m "$2"
  git tag "$1"
}

record base "Softmax and a product in Triton"
sed 's/^"""Softmax of rows and a product of matrices, in Triton./"""Softmax of rows and a product of matrices./' \
  kernels.py >changed && cat changed >kernels.py && rm changed
record same "Say less in a comment"
sed 's/num_stages=3/num_stages=1/' kernels.py >changed && cat changed >kernels.py && rm changed
record slow "Keep one tile in flight"
