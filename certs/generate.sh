#!/usr/bin/env bash
# Makes the webhook's CA and serving pair, and with --apply puts them into a cluster.
# See --help, and certs/README.md.
set -euo pipefail

usage() {
  cat <<'END'
Usage: certs/generate.sh [options]

Makes a serving pair (tls.crt, tls.key) for the webhook, signed by a CA (ca.crt, ca.key) that is
made too unless it is there already. Running it again issues a new pair under the same CA.

  --out DIR         folder for the files (default: the folder of this script)
  --namespace NAME  namespace of the Service (default: tfjob-webhook)
  --service NAME    name of the Service (default: tfjob-webhook)
  --san NAME        a further DNS name or IP address; may be repeated
  --days N          days that the pair is valid (default: 365)
  --ca-days N       days that a new CA is valid (default: 3650)
  --new-ca          replace the CA; the old certificate stays trusted (ca-previous.crt)
  --apply           then store the pair as Secret tfjob-webhook-cert and write the CA into caBundle
                    of both webhook configurations, with kubectl and its current context
  --ca-bundle-only  make nothing; print the caBundle (base64, one line) of the CA in DIR
  -h, --help        this text

Names in the certificate: SERVICE, SERVICE.NAMESPACE, SERVICE.NAMESPACE.svc and
SERVICE.NAMESPACE.svc.cluster.local.

Examples:
  certs/generate.sh --apply
  certs/generate.sh --out /tmp/certs --san localhost --san 127.0.0.1
END
}

fail() {
  echo "generate.sh: $*" >&2
  exit 1
}

fail_usage() {
  echo "generate.sh: $*; see --help" >&2
  exit 2
}

require_tool() {
  command -v "$1" >/dev/null || fail "$1 is not installed; install it and run this again"
}

# A DNS label: what Kubernetes takes for the name of a Service or a namespace.
check_label() {
  local flag=$1 value=$2
  [[ ${#value} -le 63 && $value =~ ^[a-z0-9]([a-z0-9-]*[a-z0-9])?$ ]] ||
    fail_usage "$flag '$value' is no name of that kind: use lower-case letters, digits and '-'"
}

check_days() {
  local flag=$1 value=$2
  [[ $value =~ ^[1-9][0-9]{0,4}$ ]] ||
    fail_usage "$flag '$value' is no number of days: use 1 to 99999"
}

# Prints NAME as an entry of subjectAltName.
san_entry() {
  local name=$1
  if [[ $name =~ ^[0-9]+(\.[0-9]+){3}$ || $name == *:* ]]; then
    [[ $name =~ ^[0-9A-Fa-f.:]+$ ]] || fail_usage "--san '$name' is no IP address"
    echo "IP:$name"
  elif [[ $name =~ ^(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$ ]]; then
    echo "DNS:$name"
  else
    fail_usage "--san '$name' is neither a DNS name nor an IP address"
  fi
}

new_key() {
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"
}

# The public key of a certificate or a private key: equal for two that belong together.
public_key() {
  case $1 in
    *.crt) openssl x509 -in "$1" -noout -pubkey ;;
    *) openssl pkey -in "$1" -pubout ;;
  esac
}

make_ca() {
  new_key "$scratch/ca.key"
  # The date tells two CAs apart in a log.
  openssl req -x509 -new -key "$scratch/ca.key" -sha256 -days "$ca_days" \
    -subj "/CN=tfjob-webhook CA $(date -u +%Y-%m-%dT%H:%M:%SZ)" \
    -addext basicConstraints=critical,CA:TRUE,pathlen:0 \
    -addext keyUsage=critical,keyCertSign,cRLSign \
    -out "$scratch/ca.crt"
  if [[ -e $out/ca.crt ]]; then
    mv "$out/ca.crt" "$out/ca-previous.crt"
  fi
  mv "$scratch/ca.key" "$out/ca.key"
  mv "$scratch/ca.crt" "$out/ca.crt"
}

check_ca() {
  [[ -e $out/ca.key && -e $out/ca.crt ]] ||
    fail "only one of ca.crt and ca.key is in $out; put the other back, or remove it (or use --new-ca) to start with a new CA"
  local of_key of_certificate
  of_key=$(public_key "$out/ca.key") || fail "$out/ca.key cannot be read as a private key"
  of_certificate=$(public_key "$out/ca.crt") || fail "$out/ca.crt cannot be read as a certificate"
  [[ $of_key == "$of_certificate" ]] ||
    fail "$out/ca.key does not belong to $out/ca.crt; put the right one back, or use --new-ca"
  openssl x509 -in "$out/ca.crt" -noout -checkend $((days * 86400)) >/dev/null ||
    fail "the CA in $out ends ($(openssl x509 -in "$out/ca.crt" -noout -enddate | cut -d= -f2)) before a pair of $days days would; use --new-ca, or fewer --days"
}

make_pair() {
  new_key "$scratch/tls.key"
  openssl req -new -key "$scratch/tls.key" -subj "/CN=$service" -out "$scratch/tls.csr"
  cat >"$scratch/extensions" <<END
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = $1
END
  openssl x509 -req -in "$scratch/tls.csr" -CA "$out/ca.crt" -CAkey "$out/ca.key" \
    -set_serial "0x$(openssl rand -hex 16 | sed 's/^./4/')" -sha256 -days "$days" \
    -extfile "$scratch/extensions" -out "$scratch/tls.crt" 2>"$scratch/log" ||
    fail "signing failed: $(cat "$scratch/log")"
  openssl verify -CAfile "$out/ca.crt" "$scratch/tls.crt" >/dev/null ||
    fail "the new certificate does not verify against $out/ca.crt"
  mv "$scratch/tls.key" "$out/tls.key"
  mv "$scratch/tls.crt" "$out/tls.crt"
}

# The CA, and the one before it while pairs that it signed may still be served.
print_ca_bundle() {
  cat "$out/ca.crt"
  if [[ -e $out/ca-previous.crt ]]; then
    cat "$out/ca-previous.crt"
  fi
}

apply_ca_bundle() {
  local kind=$1 bundle=$2 names name patch=
  names=$(kubectl get "$kind" "$configuration" -o 'jsonpath={.webhooks[*].name}') ||
    fail "no $kind named $configuration; apply manifests/overlays/self-signed first"
  for name in $names; do
    patch+="${patch:+,}{\"name\":\"$name\",\"clientConfig\":{\"caBundle\":\"$bundle\"}}"
  done
  kubectl patch "$kind" "$configuration" --type=strategic --patch "{\"webhooks\":[$patch]}"
}

# The CA comes first, so that there is no moment in which replicas serve what is not trusted.
apply() {
  local bundle
  kubectl get namespace "$namespace" -o name >/dev/null ||
    fail "no namespace $namespace; apply manifests/overlays/self-signed first"
  bundle=$(print_ca_bundle | base64 -w0)
  apply_ca_bundle mutatingwebhookconfiguration "$bundle"
  apply_ca_bundle validatingwebhookconfiguration "$bundle"
  kubectl create secret tls "$secret" --namespace "$namespace" \
    --cert="$out/tls.crt" --key="$out/tls.key" --dry-run=client -o yaml |
    kubectl apply --server-side --force-conflicts --field-manager=tfjob-webhook-certs -f -
  echo "Running replicas take the pair up when the kubelet has updated the mounted Secret, within two minutes or so."
}

readonly configuration=tfjob-webhook secret=tfjob-webhook-cert
out=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
namespace=tfjob-webhook
service=tfjob-webhook
days=365
ca_days=3650
extra_names=()
new_ca=false
apply=false
bundle_only=false

while (($#)); do
  case $1 in
    --out | --namespace | --service | --san | --days | --ca-days)
      [[ -n ${2-} ]] || fail_usage "$1 needs a value"
      case $1 in
        --out) out=$2 ;;
        --namespace) namespace=$2 ;;
        --service) service=$2 ;;
        --san) extra_names+=("$2") ;;
        --days) days=$2 ;;
        --ca-days) ca_days=$2 ;;
      esac
      shift
      ;;
    --new-ca) new_ca=true ;;
    --apply) apply=true ;;
    --ca-bundle-only) bundle_only=true ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) fail_usage "unknown argument '$1'" ;;
  esac
  shift
done

require_tool openssl
check_label --namespace "$namespace"
check_label --service "$service"
check_days --days "$days"
check_days --ca-days "$ca_days"
if $bundle_only; then
  if $apply || $new_ca; then
    fail_usage "--ca-bundle-only goes with neither --apply nor --new-ca"
  fi
  [[ -e $out/ca.crt ]] || fail "no ca.crt in $out; run this without --ca-bundle-only first"
  print_ca_bundle | base64 -w0
  echo
  exit 0
fi
if ((ca_days < days)); then
  fail_usage "--days $days is longer than --ca-days $ca_days: a pair cannot outlive its CA"
fi
if $apply; then
  require_tool kubectl
fi

names="DNS:$service,DNS:$service.$namespace,DNS:$service.$namespace.svc"
names+=",DNS:$service.$namespace.svc.cluster.local"
for name in "${extra_names[@]}"; do
  entry=$(san_entry "$name")
  names+=",$entry"
done

# Keys are never readable by others, not even while they are written.
umask 077
mkdir -p "$out" || fail "cannot make the folder $out"
# Inside $out, so that a finished file is moved into place in one step.
scratch=$(mktemp -d "$out/.generate.XXXXXX") || fail "cannot write to $out"
trap 'rm -rf "$scratch"' EXIT

if $new_ca || [[ ! -e $out/ca.crt && ! -e $out/ca.key ]]; then
  make_ca
  echo "CA: $out/ca.crt (new)"
else
  check_ca
  echo "CA: $out/ca.crt (kept)"
fi
make_pair "$names"
chmod 644 "$out"/*.crt
echo "pair: $out/tls.crt, $out/tls.key, until $(openssl x509 -in "$out/tls.crt" -noout -enddate | cut -d= -f2)"
if $apply; then
  apply
fi
