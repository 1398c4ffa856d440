#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A suite without a library: speaks Google Benchmark's flags and takes its times from the file "times" beside it.
# A line of that file: NAME, tab, nanoseconds, and optionally a tab and what the benchmark does instead:
#   crash, hang, exit N, silent, half, huge, skip, error TEXT, aggregates, chatter,
#   chooses CHOICE CONFIGURATION=NS… (runs CHOICE, or what KG_CONFIGURATIONS pins), deaf … (the same, but never pinned),
#   device NS (under the device's clock: what the injected library would write of one launch an iteration), refused,
#   noisy FRACTION (a process is slower or faster by up to so much, a repetition by a tenth of it).
# A first line "#min_time=plain|suffixed|absent" limits which spelling of --benchmark_min_time is known.
here=$(cd "$(dirname "$0")" && pwd)
tab=$(printf '\t')
out=/dev/stdout filter=. repetitions=1 list=false min_time=
known=$(sed -n 's/^#min_time=//p' "$here/times")
for flag in "$@"; do
  case $flag in
    --benchmark_out=*) out=${flag#*=} ;;
    --benchmark_filter=*) filter=${flag#*=} ;;
    --benchmark_repetitions=*) repetitions=${flag#*=} ;;
    --benchmark_list_tests=*) list=${flag#*=} ;;
    --benchmark_min_time=*s) min_time=suffixed ;;
    --benchmark_min_time=*) min_time=plain ;;
    --benchmark_out_format=json) ;;
    *) echo "unrecognized flag: $flag" >&2 && exit 1 ;;
  esac
done
if [ -n "$known" ] && [ -n "$min_time" ] && [ "$known" != "$min_time" ]; then
  echo "unrecognized flag: --benchmark_min_time" >&2
  exit 1
fi
if [ "$list" = true ]; then
  grep -v '^#' "$here/times" | cut -f1 | grep -E -- "$filter"
  exit 0
fi

noise() {  # NS FRACTION
  awk -v ns="$1" -v most="$2" -v n="$repetitions" -v seed="$(od -An -N4 -tu4 /dev/urandom)" 'BEGIN {
    srand(seed); mine = ns * (1 + most * (2 * rand() - 1))
    for (i = 0; i < n; ++i) printf "%.6g ", mine * (1 + most / 10 * (2 * rand() - 1)) }'
}

rows() {  # NAME NS TYPE; more than one NS take turns
  name=$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')
  i=0
  turns=$2
  while [ "$i" -lt "$repetitions" ]; do
    printf '%s{"name":"%s","run_name":"%s","run_type":"%s","aggregate_name":"mean","repetitions":%s,' \
      "$comma" "$name" "$name" "$3" "$repetitions"
    printf '"repetition_index":%s,"iterations":10,"real_time":%s,"cpu_time":%s,"time_unit":"ns"%s}' \
      "$i" "${turns%% *}" "${turns%% *}" "$4"
    turns="${turns#* } ${turns%% *}"
    comma=,
    i=$((i + 1))
  done
}

tuned() {  # NAME chooses|deaf CHOICE CONFIGURATION=NS…
  benchmark=$1 choice=$3 pin=
  [ "$2" = deaf ] || pin=$(printf '%s\n' "${KG_CONFIGURATIONS:-}" | sed -n "s|^$1=||p")
  choice=${pin:-$choice}
  shift 3
  for one in "$@"; do
    [ "${one%=*}" = "$choice" ] || continue
    rows "$benchmark" "${one#*=}" iteration ",\"label\":\"configuration=$choice\""
    return
  done
  rows "$benchmark" 0 iteration ",\"error_occurred\":true,\"error_message\":\"there is no $choice\""
}

device() {  # LINE; the file of the device's clock, if this process is under it
  [ -n "${KERNELGATE_DEVICE_CLOCK:-}" ] || return 0
  printf 'kernelgate-device-clock 1\n%b\nlost\t0\nend\tended\n' "$1" >"$KERNELGATE_DEVICE_CLOCK/$$.txt"
}

exec 4>"$out"
printf '{\n  "context": {},\n  "benchmarks": [' >&4
comma=
while IFS=$tab read -r name ns does; do
  case $name in '#'* | '') continue ;; esac
  printf '%s\n' "$name" | grep -qE -- "$filter" || continue
  case $does in
    crash) kill -SEGV $$ ;;
    hang) sleep 600 ;;
    exit*) echo "CUDA error: misaligned address" >&2 && exit "${does#exit }" ;;
    silent) exit 0 ;;
    half) printf '{"name":"%s","run_na' "$name" >&4 && exit 0 ;;
    huge) yes "$name" | head -c 100000000 >&4 && exit 0 ;;
    skip) rows "$name" 0 iteration ',"skipped":true,"skip_message":"not here"' >&4 ;;
    error*) rows "$name" 0 iteration ",\"error_occurred\":true,\"error_message\":\"${does#error }\"" >&4 ;;
    aggregates) rows "$name" "$ns" aggregate "" >&4 ;;
    chatter) ;;
    chooses* | deaf*)
      # shellcheck disable=SC2086
      tuned "$name" $does >&4
      ;;
    device*)
      took=${does#device }
      device "kernel\t256,1,1\t128,1,1\t$((repetitions * 10))\t0\t0\t1\t$took $took $took\tvoid ns::$name<int>(int*)"
      rows "$name" "$(noise "$ns" 0.3)" iteration "" >&4
      ;;
    refused) device "refused\tCUPTI is missing" && rows "$name" "$ns" iteration "" >&4 ;;
    noisy*) rows "$name" "$(noise "$ns" "${does#noisy }")" iteration "" >&4 ;;
    *) rows "$name" "$ns" iteration "" >&4 ;;
  esac
done <"$here/times"
printf ']\n}\n' >&4
