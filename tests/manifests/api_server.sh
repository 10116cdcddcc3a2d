#!/usr/bin/env bash
# Runs a command against a real API server on loopback, and stops it afterwards.
#
# Usage: KUBEBUILDER_ASSETS=DIR tests/manifests/api_server.sh COMMAND [ARGUMENT...]
#
# DIR holds etcd, kube-apiserver and kubectl (what controller-runtime's envtest uses). COMMAND
# finds an administrator's KUBECONFIG in its environment and that kubectl in its PATH.
# No kubelet and no controllers run.
set -euo pipefail

fail() {
  echo "api_server.sh: $*" >&2
  exit 1
}

(($#)) || fail "no command given; usage: $0 COMMAND [ARGUMENT...]"
assets=${KUBEBUILDER_ASSETS:?set it to the folder of etcd, kube-apiserver and kubectl}
for tool in etcd kube-apiserver kubectl; do
  [[ -x $assets/$tool ]] || fail "no $tool in $assets"
done

scratch=$(mktemp -d)
pids=()
clean_up() {
  # The API server first: without etcd it would hang on.
  local i
  for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
    kill -KILL "${pids[i]}" 2>/dev/null || true
    wait "${pids[i]}" 2>/dev/null || true
  done
  rm -rf "$scratch"
}
trap clean_up EXIT

# Prints COUNT free ports of loopback, taken together so that they differ.
free_ports() {
  python3 -c '
import socket, sys
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(s.getsockname()[1] for s in sockets))' "$1"
}
read -r etcd_port peer_port port < <(free_ports 3)

quiet_openssl() {
  openssl "$@" 2>>"$scratch/openssl.log" || fail "openssl: $(cat "$scratch/openssl.log")"
}
new_key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
quiet_openssl req -x509 "${new_key[@]}" -keyout "$scratch/ca.key" -out "$scratch/ca.crt" \
  -subj /CN=test-ca -days 2
for pair in "server:/CN=localhost" "admin:/O=system:masters/CN=admin"; do
  name=${pair%%:*}
  quiet_openssl req "${new_key[@]}" -keyout "$scratch/$name.key" -out "$scratch/$name.csr" \
    -subj "${pair#*:}"
  quiet_openssl x509 -req -in "$scratch/$name.csr" -CA "$scratch/ca.crt" \
    -CAkey "$scratch/ca.key" -CAcreateserial -days 2 -out "$scratch/$name.crt" \
    -extfile <(echo subjectAltName=DNS:localhost,IP:127.0.0.1)
done
quiet_openssl genrsa -out "$scratch/service_account.key" 2048

"$assets/etcd" --data-dir "$scratch/etcd" --log-level error \
  --listen-client-urls "http://127.0.0.1:$etcd_port" \
  --advertise-client-urls "http://127.0.0.1:$etcd_port" \
  --listen-peer-urls "http://127.0.0.1:$peer_port" \
  --initial-advertise-peer-urls "http://127.0.0.1:$peer_port" \
  --initial-cluster "default=http://127.0.0.1:$peer_port" \
  --unsafe-no-fsync >"$scratch/etcd.log" 2>&1 &
pids+=($!)
"$assets/kube-apiserver" --etcd-servers="http://127.0.0.1:$etcd_port" \
  --bind-address=127.0.0.1 --advertise-address=127.0.0.1 --secure-port="$port" \
  --tls-cert-file="$scratch/server.crt" --tls-private-key-file="$scratch/server.key" \
  --client-ca-file="$scratch/ca.crt" \
  --service-account-key-file="$scratch/service_account.key" \
  --service-account-signing-key-file="$scratch/service_account.key" \
  --service-account-issuer=https://kubernetes.default.svc \
  --service-cluster-ip-range=10.0.0.0/24 --authorization-mode=RBAC \
  --disable-admission-plugins=ServiceAccount >"$scratch/kube-apiserver.log" 2>&1 &
pids+=($!)

export PATH=$assets:$PATH KUBECONFIG=$scratch/kubeconfig
cat >"$KUBECONFIG" <<END
apiVersion: v1
kind: Config
current-context: test
contexts: [{name: test, context: {cluster: test, user: admin}}]
clusters:
- {name: test, cluster: {server: "https://127.0.0.1:$port", certificate-authority: "$scratch/ca.crt"}}
users:
- {name: admin, user: {client-certificate: "$scratch/admin.crt", client-key: "$scratch/admin.key"}}
END

for ((i = 0; ; i++)); do
  if kubectl get --raw /readyz >/dev/null 2>&1 &&
    kubectl get namespace default >/dev/null 2>&1; then
    break
  fi
  kill -0 "${pids[1]}" 2>/dev/null || fail "kube-apiserver ended: $(tail -5 "$scratch/kube-apiserver.log")"
  ((i < 240)) || fail "kube-apiserver is not ready: $(tail -5 "$scratch/kube-apiserver.log")"
  sleep 0.5
done

"$@"
