#!/usr/bin/env bash
# Fills caBundle into the webhook configurations of a YAML stream, and can point them at a URL.
#
# Usage: kubectl kustomize manifests/overlays/self-signed |
#          certs/ca_bundle.sh --ca certs/ca.crt [--url https://HOST:PORT] | kubectl apply -f -
#
#   --ca FILE   certificates of the CA, PEM
#   --url URL   replace each `service` by URL and the service's own path; for a webhook that runs
#               outside the cluster, as in tests
#
# Reads block style, one key a line, as kubectl prints it and as manifests/ are written. An older
# caBundle is replaced. A stream without a clientConfig is an error.
set -euo pipefail

fail() {
  echo "ca_bundle.sh: $*" >&2
  exit 1
}

fail_usage() {
  echo "ca_bundle.sh: $*; see --help" >&2
  exit 2
}

ca=
url=
while (($#)); do
  case $1 in
    --ca | --url)
      [[ -n ${2-} ]] || fail_usage "$1 needs a value"
      if [[ $1 == --ca ]]; then ca=$2; else url=$2; fi
      shift 2
      ;;
    -h | --help)
      sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
      exit 0
      ;;
    *) fail_usage "unknown argument '$1'" ;;
  esac
done
[[ -n $ca ]] || fail_usage "--ca FILE is missing"
[[ -z $url || $url =~ ^https://[^/[:space:]]+$ ]] ||
  fail_usage "--url '$url' has to look like https://HOST:PORT"
openssl x509 -in "$ca" -noout 2>/dev/null || fail "$ca holds no PEM certificate"

exec awk -v bundle="$(base64 -w0 "$ca")" -v url="$url" '
  function indent_of(line) { match(line, /^ */); return RLENGTH }

  # Prints the clientConfig that was collected. Its children are indented by `inner`.
  function finish(    i, path, pad) {
    if (!inside) return
    inside = 0
    pad = sprintf("%" inner "s", "")
    print pad "caBundle: " bundle
    for (i = 1; i <= count; i++) {
      if (block[i] ~ /^ *path: /) { path = block[i]; sub(/^ *path: */, "", path) }
      if (url == "") print block[i]
    }
    if (url != "") print pad "url: " url path
  }

  {
    if (inside) {
      if ($0 ~ /^ *(#.*)?$/) next
      if (indent_of($0) > outer) {
        if (count == 0 && !dropped) inner = indent_of($0)
        if ($0 ~ /^ *(caBundle|url): /) { dropped = 1; next }
        block[++count] = $0
        next
      }
      finish()
    }
    print
    if ($0 ~ /^( |- )*clientConfig:[ ]*$/) {
      inside = 1; count = 0; dropped = 0; found = 1
      match($0, /^( |- )*/); outer = RLENGTH; inner = outer + 2
    }
  }

  END {
    finish()
    if (!found) { print "ca_bundle.sh: no clientConfig in the input" > "/dev/stderr"; exit 1 }
  }
'
