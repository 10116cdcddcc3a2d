#!/usr/bin/env bash
# Builds the image from the Dockerfile without a Docker engine, on Debian and as root, and
# proves it: its size, that it has no shell, and that the program runs from its own root.
#
# Usage: tests/manifests/build_image.sh [--keep DIR]
#   --keep DIR  leave the image's root file system in DIR
#
# Needs the Debian mirror. The base image is debootstrapped once and kept in
# ${XDG_CACHE_HOME:-~/.cache}/tfjob-webhook; remove it there to get a fresh one.
set -euo pipefail

readonly max_bytes=$((40 * 1000 * 1000))
readonly image=tfjob-webhook:test
readonly base=localhost/tfjob-webhook-base:bookworm
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly project=$here/../..
readonly cache=${XDG_CACHE_HOME:-$HOME/.cache}/tfjob-webhook
scratch=$(mktemp -d)
readonly scratch
container=
server=

fail() {
  echo "build_image.sh: $*" >&2
  exit 1
}

# What is gone already is no failure, and must not hide the one that led here.
clean_up() {
  if [[ -n $server ]]; then
    kill -KILL "$server" 2>/dev/null || true
  fi
  if [[ -n $container ]]; then
    buildah rm "$container" >/dev/null || true
  fi
  rm -rf "$scratch"
}
trap clean_up EXIT

install_tools() {
  local missing=() tool
  for tool in buildah mmdebstrap curl openssl; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  if ((${#missing[@]})); then
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
  fi
}

make_base_image() {
  if buildah images -q "$base" >/dev/null 2>&1; then
    return
  fi
  local from
  mkdir -p "$cache"
  if [[ ! -e $cache/bookworm.tar ]]; then
    mmdebstrap --variant=minbase --mode=root bookworm "$cache/bookworm.tar.part"
    mv "$cache/bookworm.tar.part" "$cache/bookworm.tar"
  fi
  from=$(buildah from scratch)
  buildah add -q "$from" "$cache/bookworm.tar" /
  buildah commit -q --rm "$from" "$base"
}

# Runs the program in the image's root, as the image's user.
in_image() {
  chroot --userspec=65532:65532 "$root" /usr/bin/tfjob-webhook "$@"
}

check_contents() {
  local found
  found=$(cd "$root" && find . \( -name sh -o -name '*sh' -path '*/bin/*' -o -name busybox \
    -o -name 'apt*' -o -name dpkg -not -path ./var/lib/dpkg -o -name perl \))
  [[ -z $found ]] || fail "the image holds what it should not: $found"
  found=$(cd "$root" && find . -type f -perm /6000)
  [[ -z $found ]] || fail "the image holds set-id files: $found"
  if chroot "$root" /bin/sh -c true 2>/dev/null; then
    fail "the image has a shell"
  fi
}

# Serves from the image's root with the arguments of the Deployment, ports apart.
check_serve() {
  local port=18443 health=18080 status i
  mkdir -p "$root/etc/tfjob-webhook/config"
  "$project/certs/generate.sh" --out "$scratch/certs" --san localhost >/dev/null
  install -D -m 0444 -t "$root/etc/tfjob-webhook/certs" "$scratch"/certs/tls.{crt,key}
  install -m 0444 "$project/manifests/base/config.yaml" "$root/etc/tfjob-webhook/config/"
  # exec, so that the process id is the program's own.
  (exec chroot --userspec=65532:65532 "$root" /usr/bin/tfjob-webhook serve \
    --cert-dir=/etc/tfjob-webhook/certs --bind-address="127.0.0.1:$port" \
    --metrics-bind-address="127.0.0.1:$health" \
    --config=/etc/tfjob-webhook/config/config.yaml --shutdown-delay=0s) \
    >"$scratch/serve.log" 2>&1 &
  server=$!
  for ((i = 0; ; i++)); do
    if curl -s --max-time 5 -f -o /dev/null "http://127.0.0.1:$health/readyz"; then
      break
    fi
    kill -0 "$server" 2>/dev/null || fail "serve ended: $(cat "$scratch/serve.log")"
    ((i < 50)) || fail "serve is not ready: $(cat "$scratch/serve.log")"
    sleep 0.2
  done
  status=$(curl -sS --max-time 5 --cacert "$scratch/certs/ca.crt" -o /dev/null \
    -w '%{http_code}' "https://localhost:$port/mutate")
  [[ $status == 405 ]] || fail "GET /mutate: $status instead of 405"
  kill -TERM "$server"
  wait "$server" || fail "SIGTERM: the program ended with $?: $(cat "$scratch/serve.log")"
  server=
  rm -rf "${root:?}/etc/tfjob-webhook"
}

keep=
case ${1-} in
  "") ;;
  --keep) keep=${2:?--keep needs a folder} ;;
  *) fail "unknown argument '$1'; usage: $0 [--keep DIR]" ;;
esac
((EUID == 0)) || fail "run it as root: buildah in chroot isolation and chroot need it"

install_tools
make_base_image
buildah bud --layers --pull-never --build-arg "BASE=$base" -t "$image" "$project" \
  >"$scratch/build.log" 2>&1 || fail "the build failed: $(tail -40 "$scratch/build.log")"

container=$(buildah from --pull-never "$image")
root=$(buildah mount "$container")
bytes=$(du -sb "$root" | cut -f1)
echo "image: $((bytes / 1000)) kB"
((bytes < max_bytes)) || fail "the image has $bytes bytes; it has to stay under $max_bytes"
check_contents
in_image version
check_serve
user=$(buildah inspect --format '{{.OCIv1.Config.User}}' "$container")
[[ $user == 65532:65532 ]] || fail "the image's user is '$user'"
if [[ -n $keep ]]; then
  cp -a "$root" "$keep"
fi
echo "image: built, shell-less, and it serves"
