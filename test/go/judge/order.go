package main

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

func (o *object) isScoped() bool {
	var quota corev1.ResourceQuota
	_ = o.into(&quota)
	return quota.Spec.Scopes != nil || quota.Spec.ScopeSelector != nil
}

// The order in which `kubectl apply` makes the objects of a file: what bounds comes before what gives
// access (docs/adr/0019-bounds-before-access.md). The rest comes between Roles and their bindings.
var ranks = []string{
	"/Namespace", "networking.k8s.io/NetworkPolicy", "/LimitRange", "/ResourceQuota", "scoped",
	"policy/PodDisruptionBudget", "/ServiceAccount", "rbac.authorization.k8s.io/Role", "rest",
	"rbac.authorization.k8s.io/RoleBinding",
}

func (c *court) order(file string, objects []*object) {
	before := 0
	for _, o := range objects {
		word := o.group() + "/" + o.Kind
		if word == "/ResourceQuota" && o.isScoped() {
			word = "scoped"
		}
		rank := slices.Index(ranks, word)
		if rank < 0 {
			rank = slices.Index(ranks, "rest")
		}
		if rank < before {
			c.say("structure/order", file, o, fmt.Sprintf("it comes after objects of %s", ranks[before]))
		}
		before = max(before, rank)
	}
}
