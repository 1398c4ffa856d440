#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A suite without a GPU that speaks NVBench's flags: benchmark "copy" with the states N=1 and N=2, 12 samples of 10 us
# each. Its first argument: "new" knows --no-batch, "old" does not; "crash" dies in the state N=2.
kind=$1
shift
out='' only=''
while [ $# -gt 0 ]; do
  case $1 in
    --jsonlist-benches)
      printf '{"benchmarks":[{"name":"copy","axes":[{"name":"N","type":"int64","flags":"","values":['
      printf '{"input_string":"1","value":1},{"input_string":"2","value":2}]}]}]}\n'
      exit 0
      ;;
    --no-batch) [ "$kind" = old ] && echo "Unrecognized option: --no-batch" >&2 && exit 1 ;;
    --jsonbin) out=$2 && shift ;;
    -b | --min-samples | --min-time | --max-noise) shift ;;
    -a) only="$only ${2#*=}" && shift ;;
    *) echo "Unrecognized option: $1" >&2 && exit 1 ;;
  esac
  shift
done
mkdir "$out-bin"
comma='' states='' i=0
for n in ${only:-1 2}; do
  [ "$kind" = crash ] && [ "$n" = 2 ] && kill -SEGV $$
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do printf '\254\305\047\067'; done >"$out-bin/$i.bin"
  states="$states$comma{\"name\":\"Device=0 N=$n\",\"device\":0,\"axis_values\":[{\"name\":\"N\",\"type\":\"int64\",
    \"value\":\"$n\"}],\"is_skipped\":false,\"summaries\":[{\"tag\":\"nv/json/bin:nv/cold/sample_times\",\"data\":[
    {\"name\":\"filename\",\"value\":\"result.json-bin/$i.bin\"},{\"name\":\"size\",\"value\":\"12\"}]}]}"
  comma=, i=$((i + 1))
done
printf '{"meta":{"version":{"json":{"major":1}}},"benchmarks":[{"name":"copy","axes":[{"name":"N","flags":"",
  "values":[{"input_string":"1","value":1},{"input_string":"2","value":2}]}],"states":[%s]}]}' "$states" >"$out"
