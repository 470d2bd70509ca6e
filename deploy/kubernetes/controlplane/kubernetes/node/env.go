package node

import (
	"context"
	"fmt"
	"strings"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// environment returns the container's variables. Go's own resolver is asked for,
// which reads the hosts file.
func (p *pod) environment(ctx context.Context) (map[string]string, error) {
	env := map[string]string{"PATH": "/", "HOME": "/", "GODEBUG": "netdns=go"}
	for _, f := range p.container().EnvFrom {
		data, err := p.source(ctx, f)
		if err != nil {
			return nil, err
		}
		for k, v := range data {
			env[f.Prefix+k] = p.local(v)
		}
	}
	for _, e := range p.container().Env {
		v := expand(e.Value, env)
		if f := e.ValueFrom; f != nil && f.FieldRef != nil {
			v = map[string]string{"metadata.name": p.Name, "metadata.namespace": p.Namespace, "status.podIP": p.ip, "spec.nodeName": p.Spec.NodeName}[f.FieldRef.FieldPath]
		} else if f != nil && f.ResourceFieldRef != nil {
			if f.ResourceFieldRef.Resource != "requests.memory" {
				return nil, fmt.Errorf("%s: no %s here", e.Name, f.ResourceFieldRef.Resource)
			}
			v = fmt.Sprint(p.container().Resources.Requests.Memory().Value())
		} else if f != nil && f.SecretKeyRef != nil {
			s, err := p.host.kube.CoreV1().Secrets(p.Namespace).Get(ctx, f.SecretKeyRef.Name, meta.GetOptions{})
			if err != nil {
				return nil, err
			}
			v = string(s.Data[f.SecretKeyRef.Key])
		}
		env[e.Name] = p.local(v)
	}
	return env, nil
}

// source returns the variables of a config map or a secret.
func (p *pod) source(ctx context.Context, f core.EnvFromSource) (map[string]string, error) {
	data := map[string]string{}
	var err error
	var optional *bool
	if r := f.ConfigMapRef; r != nil {
		var c *core.ConfigMap
		optional = r.Optional
		if c, err = p.host.kube.CoreV1().ConfigMaps(p.Namespace).Get(ctx, r.Name, meta.GetOptions{}); err == nil {
			data = c.Data
		}
	} else if r := f.SecretRef; r != nil {
		var s *core.Secret
		optional = r.Optional
		if s, err = p.host.kube.CoreV1().Secrets(p.Namespace).Get(ctx, r.Name, meta.GetOptions{}); err == nil {
			for k, v := range s.Data {
				data[k] = string(v)
			}
		}
	}
	if apierrors.IsNotFound(err) && optional != nil && *optional {
		err = nil
	}
	return data, err
}

// expand replaces $(NAME).
func expand(s string, env map[string]string) string {
	for k, v := range env {
		s = strings.ReplaceAll(s, "$("+k+")", v)
	}
	return s
}
