#!/usr/bin/env bash
# build.sh BIN: builds a control plane into BIN, from source, through the Go module
# proxy: etcd, kubernetes (API server, controller manager, scheduler, kubectl and
# node in one binary, linked once), keda-operator, keda-adapter, keda-webhooks, and
# KEDA's own manifests. Each is a module here, because `go install` refuses modules
# with replace directives; versions are those of the go.mod files. What is there
# already for the same go.sum and sources is not built again.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p "$1"
BIN=$(realpath "$1")
build() { # module, binary, package
  local stamp
  stamp=$(cat "$1"/go.mod "$1"/go.sum $(find "$1" -name '*.go' | sort) | sha256sum)
  if [ -x "$BIN/$2" ] && [ "$(cat "$BIN/$2.stamp" 2>/dev/null)" = "$stamp" ]; then return; fi
  local start=$SECONDS
  (cd "$1" && go build -ldflags "-s -w" -o "$BIN/$2" "$3")
  echo "$stamp" >"$BIN/$2.stamp"
  echo "$2: $((SECONDS - start)) s" >&2
}
build etcd etcd go.etcd.io/etcd/server/v3
build kubernetes kubernetes .
for part in operator adapter webhooks; do
  build keda "keda-$part" "github.com/kedacore/keda/v2/cmd/$part"
done
manifests() { # folder of BIN, module, its folder, from our module
  local dir
  dir=$(cd "$4" && go mod download -json "$2" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  rm -rf "${BIN:?}/$1"
  cp -r "$dir/$3" "$BIN/$1"
  chmod -R u+w "$BIN/$1"
}
[ -d "$BIN/keda-config" ] || manifests keda-config "github.com/kedacore/keda/v2@$(cd keda && go list -m -f '{{.Version}}' github.com/kedacore/keda/v2)" config keda
# Definitions of PodMonitor and PrometheusRule.
[ -d "$BIN/prometheus-crds" ] || manifests prometheus-crds github.com/prometheus-operator/prometheus-operator@v0.85.0 example/prometheus-operator-crd keda
