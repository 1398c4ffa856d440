#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a command as root under a kernel with cgroup v2, whatever this machine has: User Mode Linux (Debian:
# user-mode-linux) on this machine's files. /tmp and /run are new there. The exit code is the command's.
#   tools/under_cgroup2.sh build/host/platform/kg_platform_test --gtest_filter='ControlGroup*'
set -eu
[ $# -gt 0 ] || { echo "usage: $0 COMMAND [ARGUMENT…]" >&2; exit 2; }
command -v linux.uml >/dev/null || { echo "apt-get install user-mode-linux" >&2; exit 4; }
folder=$(mktemp -d /var/tmp/kernelgate-uml-XXXXXX)
trap 'rm -rf "$folder"' EXIT
{
  printf '#!/bin/sh\nexport PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n'
  printf 'mount -t proc p /proc && mount -t sysfs s /sys && mount -t cgroup2 c /sys/fs/cgroup\n'
  printf 'mount -t tmpfs t /tmp; mkdir -p /dev/shm; mount -t tmpfs t /dev/shm; mount -t tmpfs t /run\n'
  printf 'cd "%s"\n' "$PWD"
  for word in "$@"; do printf "'%s' " "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")"; done
  printf '\necho $? > "%s/code"\nhalt -f -p\n' "$folder"
} >"$folder/init"
chmod +x "$folder/init"
linux.uml mem=3G root=/dev/root rootfstype=hostfs rootflags=/ rw init="$folder/init" con=null con0=fd:0,fd:1 quiet \
  </dev/null 2>&1
exit "$(cat "$folder/code")"
