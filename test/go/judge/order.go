package main

import (
	"fmt"
	"slices"
)

// The order in which `kubectl apply` makes the objects of a file: what bounds comes before what gives
// access (docs/adr/0019-bounds-before-access.md). The rest comes between Roles and their bindings.
var ranks = []string{
	"/Namespace", "networking.k8s.io/NetworkPolicy", "/LimitRange", "/ResourceQuota",
	"policy/PodDisruptionBudget", "/ServiceAccount", "rbac.authorization.k8s.io/Role", "rest",
	"rbac.authorization.k8s.io/RoleBinding",
}

// Kinds that are synced with the Namespace; access is synced by itself, and so is everything else
// (docs/adr/0087-access-has-its-own-application.md).
var bounding = []string{
	"/Namespace", "networking.k8s.io/NetworkPolicy", "/LimitRange", "/ResourceQuota",
	"policy/PodDisruptionBudget", "/ServiceAccount",
}

// folderOf is where an object of a namespace belongs, below the folder of its tenant.
func folderOf(o *object) string {
	switch {
	case o.group() == "rbac.authorization.k8s.io":
		return "rbac/"
	case slices.Contains(bounding, o.group()+"/"+o.Kind):
		return ""
	}
	return "resources/"
}

func (c *court) order(file string, objects []*object) {
	before := 0
	for _, o := range objects {
		word := o.group() + "/" + o.Kind
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
