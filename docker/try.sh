#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds both images without a container engine, starts the server: docker/try.sh --mirror URL [--work DIR]
# For machines on which docker and podman cannot run: buildah with chroot isolation on a debootstrap base, and
# bubblewrap to start what it made. Needs root, buildah, debootstrap, bubblewrap and curl; URL is a Debian mirror.
set -euo pipefail

root="$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)"
mirror="" work=""
while [ $# -gt 0 ]; do
  case "$1" in
    --mirror) mirror="${2:?}"; shift 2 ;;
    --work) work="${2:?}"; shift 2 ;;
    *) echo "try.sh: unknown argument '$1'" >&2; exit 2 ;;
  esac
done
[ -n "$mirror" ] || { echo "try.sh: --mirror URL is needed" >&2; exit 2; }
if [ -z "$work" ]; then
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work/ccache" "$work/data"
server_pid=""

say() { printf '== %s\n' "$*"; }

# buildah with storage of its own, so that nothing of this machine's is touched.
setup_storage() {
  export CONTAINERS_STORAGE_CONF="$work/storage.conf"
  printf '[storage]\ndriver = "vfs"\nrunroot = "%s"\ngraphroot = "%s"\n' "$work/run" "$work/graph" \
    >"$CONTAINERS_STORAGE_CONF"
}

make_base() {
  say "Base image by debootstrap"
  [ -f "$work/base.tar" ] || {
    debootstrap --variant=minbase bookworm "$work/base" "$mirror" >"$work/debootstrap.log"
    tar -C "$work/base" -cf "$work/base.tar" .
    rm -rf "$work/base"
  }
  printf 'FROM scratch\nADD base.tar /\n' >"$work/Containerfile"
  buildah bud -q --isolation chroot --pull-never --layers -t localhost/debian-base -f "$work/Containerfile" "$work"
}

# build_image NAME: from docker/NAME.Dockerfile
build_image() {
  local started="$SECONDS"
  say "Image kernelgate-$1"
  buildah bud --isolation chroot --network host --pull-never --layers \
    --volume "$work/ccache:/ccache" --build-arg CCACHE_DIR=/ccache --build-arg LANG="${LANG:-C.UTF-8}" \
    --build-arg JOBS="$(nproc)" \
    --build-arg BASE=localhost/debian-base --build-arg BUILD_BASE=localhost/debian-base \
    -t "localhost/kernelgate-$1" -f "$root/docker/$1.Dockerfile" "$root" >"$work/$1.build.log" 2>&1 ||
    { tail -n 30 "$work/$1.build.log"; exit 1; }
  say "built in $((SECONDS - started)) s, $(buildah images --format '{{.Size}}' "localhost/kernelgate-$1")"
}

# mount_image NAME: the path of the image's files
mount_image() {
  buildah mount "$(buildah from --pull-never "localhost/kernelgate-$1")"
}

# in_image MOUNT VOLUME COMMAND…: as the image would run it, the work folder's data on the image's VOLUME. Inside,
# the caller has the image's user id; outside, the caller's own, to whom the data belong.
in_image() {
  local image="$1" volume="$2"
  shift 2
  exec bwrap --unshare-user --unshare-pid --die-with-parent --uid 64001 --gid 64001 --ro-bind "$image" / \
    --dev /dev --proc /proc --tmpfs /tmp --bind "$work/data" "$volume" --chdir "$volume" \
    --clearenv --setenv HOME "$volume" --setenv PATH /usr/local/bin:/usr/bin:/bin "$@"
}

stop_server() {
  [ -n "$server_pid" ] || return 0
  kill -TERM "$server_pid" 2>/dev/null || true
  wait "$server_pid" || true
  server_pid=""
}

try_server() {
  local image address answer
  image="$(mount_image server)"
  address="127.0.0.1:${KERNELGATE_TRY_PORT:-18080}"
  say "Server image: $(in_image "$image" /data kernelgate --version)"
  (in_image "$image" /data kernelgate server --listen "$address" --data /data) \
    >"$work/server.log" 2>&1 &
  server_pid=$!
  for _ in $(seq 50); do
    if answer="$(curl -fsS "http://$address/healthz" 2>/dev/null)"; then
      say "GET /healthz: $answer"
      stop_server
      return 0
    fi
    kill -0 "$server_pid" 2>/dev/null || break
    sleep 0.2
  done
  cat "$work/server.log"
  say "the server did not answer"
  stop_server
  return 1
}

try_runner() {
  local image
  image="$(mount_image runner)"
  say "Runner image: $(in_image "$image" /var/lib/kernelgate kernelgate --version)"
  say "Runner image: kernelgate doctor"
  (in_image "$image" /var/lib/kernelgate kernelgate doctor --repo .) || say "doctor ended with exit code $?"
}

[ "$(id -u)" -eq 0 ] || { echo "try.sh: needs root" >&2; exit 2; }
for tool in buildah debootstrap bwrap curl; do
  command -v "$tool" >/dev/null && continue
  echo "try.sh: $tool is missing: apt-get install buildah debootstrap bubblewrap curl" >&2
  exit 2
done
setup_storage
make_base
build_image server
try_server
build_image runner
try_runner
