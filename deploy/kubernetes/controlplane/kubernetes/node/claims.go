package node

import (
	"context"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// provide makes a volume for every claim that has none; its data is a folder (see
// pod.claim).
func (h *host) provide(ctx context.Context) {
	claims, err := h.kube.CoreV1().PersistentVolumeClaims("").List(ctx, meta.ListOptions{})
	if err != nil {
		return
	}
	for _, c := range claims.Items {
		if c.Status.Phase != core.ClaimPending || h.provided[c.UID] {
			continue
		}
		_, err := h.kube.CoreV1().PersistentVolumes().Create(ctx, &core.PersistentVolume{
			ObjectMeta: meta.ObjectMeta{Name: "volume-" + string(c.UID)},
			Spec: core.PersistentVolumeSpec{
				Capacity: c.Spec.Resources.Requests, AccessModes: c.Spec.AccessModes, PersistentVolumeReclaimPolicy: core.PersistentVolumeReclaimRetain,
				ClaimRef:               &core.ObjectReference{Namespace: c.Namespace, Name: c.Name, UID: c.UID},
				PersistentVolumeSource: core.PersistentVolumeSource{HostPath: &core.HostPathVolumeSource{Path: "/claims"}},
			},
		}, meta.CreateOptions{})
		h.provided[c.UID] = err == nil
	}
}
