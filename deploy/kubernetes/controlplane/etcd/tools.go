//go:build tools

// Package etcd pins the versions that ../build.sh builds.
package etcd

import _ "go.etcd.io/etcd/server/v3"
