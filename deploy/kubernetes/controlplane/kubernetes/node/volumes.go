package node

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// mount makes what the container mounts, and gives it to its user.
func (p *pod) mount(ctx context.Context) error {
	uid, gid := p.user()
	for _, m := range p.container().VolumeMounts {
		at := filepath.Join(p.root(), m.MountPath)
		v := p.volume(m.Name)
		if v == nil {
			return fmt.Errorf("no volume %s", m.Name)
		}
		if claim := v.PersistentVolumeClaim; claim != nil {
			if err := move(p.claim(claim.ClaimName), at); err != nil {
				return err
			}
		}
		if err := os.MkdirAll(at, 0o755); err != nil {
			return err
		}
		files, err := p.files(ctx, v)
		if err != nil {
			return err
		}
		for name, data := range files {
			file := filepath.Join(at, name)
			if err := os.WriteFile(file, data, 0o400); err != nil && !os.IsPermission(err) {
				return err
			}
			if err := os.Chown(file, uid, gid); err != nil {
				return err
			}
		}
		if err := os.Chown(at, uid, gid); err != nil {
			return err
		}
	}
	return nil
}

func (p *pod) volume(name string) *core.Volume {
	for i := range p.Spec.Volumes {
		if p.Spec.Volumes[i].Name == name {
			return &p.Spec.Volumes[i]
		}
	}
	return nil
}

// claim is where a claim's data is while no pod has it.
func (p *pod) claim(name string) string {
	return filepath.Join(p.host.dir, "claims", p.Namespace+"-"+name)
}

// unmount puts claims back.
func (p *pod) unmount() {
	for _, m := range p.container().VolumeMounts {
		if v := p.volume(m.Name); v != nil && v.PersistentVolumeClaim != nil {
			_ = move(filepath.Join(p.root(), m.MountPath), p.claim(v.PersistentVolumeClaim.ClaimName))
		}
	}
}

// move moves a folder, if it is there.
func move(from, to string) error {
	if _, err := os.Stat(from); err != nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// files are those of a config map, a secret, or several.
func (p *pod) files(ctx context.Context, v *core.Volume) (map[string][]byte, error) {
	all := map[string][]byte{}
	sources := []core.VolumeProjection{}
	switch {
	case v.Projected != nil:
		sources = v.Projected.Sources
	case v.ConfigMap != nil:
		sources = []core.VolumeProjection{{ConfigMap: &core.ConfigMapProjection{LocalObjectReference: v.ConfigMap.LocalObjectReference}}}
	case v.Secret != nil:
		sources = []core.VolumeProjection{{Secret: &core.SecretProjection{LocalObjectReference: core.LocalObjectReference{Name: v.Secret.SecretName}}}}
	}
	for _, s := range sources {
		if s.ConfigMap != nil {
			c, err := p.host.kube.CoreV1().ConfigMaps(p.Namespace).Get(ctx, s.ConfigMap.Name, meta.GetOptions{})
			if err != nil {
				return nil, err
			}
			for k, d := range c.Data {
				all[k] = []byte(p.local(d))
			}
		}
		if s.Secret != nil {
			c, err := p.host.kube.CoreV1().Secrets(p.Namespace).Get(ctx, s.Secret.Name, meta.GetOptions{})
			if err != nil {
				return nil, err
			}
			for k, d := range c.Data {
				all[k] = d
			}
		}
	}
	return all, nil
}
