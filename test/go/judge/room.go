package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Counted resources by kind. https://kubernetes.io/docs/concepts/policy/resource-quotas/#object-count-quota
var plurals = map[string]string{
	"/ConfigMap": "configmaps", "/Secret": "secrets", "/Service": "services", "/Pod": "pods",
	"/PersistentVolumeClaim": "persistentvolumeclaims", "/ResourceQuota": "resourcequotas",
	"/ServiceAccount": "serviceaccounts", "/ReplicationController": "replicationcontrollers",
	"/LimitRange": "limitranges", "apps/Deployment": "deployments.apps", "batch/Job": "jobs.batch",
	"rbac.authorization.k8s.io/Role":        "roles.rbac.authorization.k8s.io",
	"rbac.authorization.k8s.io/RoleBinding": "rolebindings.rbac.authorization.k8s.io",
	"networking.k8s.io/NetworkPolicy":       "networkpolicies.networking.k8s.io",
	"policy/PodDisruptionBudget":            "poddisruptionbudgets.policy",
}

// room: a quota that counts objects has room for those that are rendered, and for what Kubernetes
// makes in each namespace. Otherwise the API server refuses some of them, a bound for one.
func (c *court) room() {
	for at, objects := range c.objects {
		life := c.tenantOf(at).namespaces()[at.namespace].lifecycle
		counts := map[string]int64{}
		has := map[string]bool{}
		for _, o := range objects {
			counts[plurals[o.group()+"/"+o.Kind]]++
			has[o.Kind+" "+o.meta.Name] = true
		}
		if !has["ConfigMap kube-root-ca.crt"] {
			counts["configmaps"]++
		}
		if !has["ServiceAccount default"] {
			counts["serviceaccounts"]++
		}
		hard := c.quotaOf(objects)
		for plural, count := range counts {
			if plural == "pods" && life != "Active" {
				continue // who is not in use gets no new pods
			}
			for _, key := range []string{plural, "count/" + plural} {
				most, bounded := hard[key]
				if plural != "" && bounded && most.Cmp(*resource.NewQuantity(count, resource.DecimalSI)) < 0 {
					c.say("bounds/room", objects[0].file, nil, fmt.Sprintf("%d objects, and %s: %s", count, key, most.String()))
				}
			}
		}
	}
}
