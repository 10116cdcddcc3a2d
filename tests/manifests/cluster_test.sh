#!/usr/bin/env bash
# The manifests and certs/generate.sh against a real API server.
#
# Usage: KUBEBUILDER_ASSETS=DIR tests/manifests/api_server.sh tests/manifests/cluster_test.sh
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
readonly configurations=(mutatingwebhookconfiguration validatingwebhookconfiguration)

fail() {
  echo "cluster_test.sh: $*" >&2
  exit 1
}

# Each caBundle of a configuration, decoded, is FILE.
check_ca_bundles() {
  local kind bundles bundle
  for kind in "${configurations[@]}"; do
    bundles=$(kubectl get "$kind" tfjob-webhook -o 'jsonpath={.webhooks[*].clientConfig.caBundle}')
    [[ $(wc -w <<<"$bundles") == 2 ]] || fail "$kind: not two caBundles: $bundles"
    for bundle in $bundles; do
      base64 -d <<<"$bundle" | cmp - "$1" || fail "$kind: caBundle differs from $1"
    done
  done
}

check_secret() {
  local key
  [[ $(kubectl --namespace tfjob-webhook get secret tfjob-webhook-cert -o 'jsonpath={.type}') == \
    kubernetes.io/tls ]] || fail "the Secret is of another type"
  for key in tls.crt tls.key; do
    kubectl --namespace tfjob-webhook get secret tfjob-webhook-cert \
      -o "jsonpath={.data.${key/./\\.}}" | base64 -d | cmp - "$scratch/certs/$key" ||
      fail "the Secret's $key differs"
  done
}

# Custom resources without a schema, as far as `kubectl apply` needs them.
define() {
  local group=$1 version=$2 kind=$3 plural=${3,,}s
  kubectl apply -f - <<END
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: $plural.$group
  annotations: {api-approved.kubernetes.io: unapproved}
spec:
  group: $group
  scope: Namespaced
  names: {kind: $kind, plural: $plural, singular: ${3,,}}
  versions:
  - name: $version
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
END
  # `kubectl wait` fails on a definition that has no conditions yet.
  local i
  for ((i = 0; i < 50; i++)); do
    if kubectl wait --for=condition=Established "crd/$plural.$group" 2>/dev/null; then
      return
    fi
    sleep 0.2
  done
  fail "$plural.$group is not established"
}

echo "== base and self-signed are accepted, twice, by client and by server"
kubectl apply -k manifests/base
kubectl apply -k manifests/overlays/self-signed
kubectl apply --dry-run=server -k manifests/overlays/self-signed

echo "== generate.sh stores the pair and the CA"
certs/generate.sh --out "$scratch/certs" --apply
check_secret
check_ca_bundles "$scratch/certs/ca.crt"

echo "== applying the manifests again keeps both"
kubectl apply -k manifests/overlays/self-signed
kubectl apply --server-side --force-conflicts -k manifests/overlays/self-signed
check_secret
check_ca_bundles "$scratch/certs/ca.crt"

echo "== a new pair, then a new CA beside the old one"
certs/generate.sh --out "$scratch/certs" --apply
check_secret
check_ca_bundles "$scratch/certs/ca.crt"
certs/generate.sh --out "$scratch/certs" --new-ca --apply
check_secret
cat "$scratch"/certs/ca{,-previous}.crt >"$scratch/both.crt"
check_ca_bundles "$scratch/both.crt"

echo "== ca_bundle.sh makes configurations that the API server takes"
kubectl kustomize manifests/base | certs/ca_bundle.sh --ca "$scratch/certs/ca.crt" \
  --url https://127.0.0.1:9 | kubectl apply --server-side --force-conflicts -f -
check_ca_bundles "$scratch/certs/ca.crt"

echo "== creation fails closed while nothing answers, an update does not"
define kubeflow.org v1 TFJob
if kubectl apply -f tests/testdata/manifests/valid/tfjob-v1-no-restart-policy.yaml \
  2>"$scratch/error"; then
  fail "a job was created although no webhook answered"
fi
grep -q 'failed calling webhook "mutate-create.exit-codes.kubeflow.org"' "$scratch/error" ||
  fail "refused for another reason: $(cat "$scratch/error")"
kubectl delete "${configurations[0]}/tfjob-webhook" "${configurations[1]}/tfjob-webhook"
kubectl apply -f tests/testdata/manifests/valid/tfjob-v1-no-restart-policy.yaml
kubectl kustomize manifests/base | certs/ca_bundle.sh --ca "$scratch/certs/ca.crt" \
  --url https://127.0.0.1:9 | kubectl apply -f -
kubectl label tfjob first-steps changed=yes
# No job of the exempt namespaces depends on the webhook.
sed 's/name: first-steps/&\n  namespace: kube-system/' \
  tests/testdata/manifests/valid/tfjob-v1-no-restart-policy.yaml | kubectl create -f -

echo "== the pod meets the restricted Pod Security Standard"
kubectl create namespace restricted
kubectl label namespace restricted pod-security.kubernetes.io/enforce=restricted
kubectl --namespace tfjob-webhook get deployment tfjob-webhook -o json |
  python3 -c '
import json, sys
pod = json.load(sys.stdin)["spec"]["template"]
pod.update(apiVersion="v1", kind="Pod")
pod["metadata"].update(name="webhook", namespace="restricted")
json.dump(pod, sys.stdout)' >"$scratch/pod.json"
kubectl create --dry-run=server -f "$scratch/pod.json"
sed 's/"allowPrivilegeEscalation": false, *//' "$scratch/pod.json" >"$scratch/bad.json"
if kubectl create --dry-run=server -f "$scratch/bad.json" 2>/dev/null; then
  fail "Pod Security is not enforced here, so that the check above proves nothing"
fi

echo "== the cert-manager overlay is accepted"
define cert-manager.io v1 Issuer
define cert-manager.io v1 Certificate
kubectl apply -k manifests/overlays/cert-manager
kubectl apply --dry-run=server -k manifests/overlays/cert-manager
echo "cluster_test.sh: all passed"
