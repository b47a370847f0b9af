package main

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"
)

// bound is an entry of a class' ceiling on roles: a ClusterRole of Kubernetes, or a rule whose
// wildcards are narrower than RBAC's (docs/classes.md, "Roles that tenants write").
type bound struct {
	ClusterRole string `json:"clusterRole"`
	rbacv1.PolicyRule
}

// userFacing are Kubernetes' ClusterRoles for people, by name.
// https://kubernetes.io/docs/reference/access-authn-authz/rbac/#user-facing-roles
var userFacing = map[string][]rbacv1.PolicyRule{"admin": admin, "edit": edit, "view": view}

// edit is admin without what gives rights to others.
var edit = less(admin, func(group, resource, _ string) bool {
	return group == rbacv1.GroupName || group == "authorization.k8s.io"
})

// view is what edit reads, without what holds or opens a door: Secrets, and what connects to pods.
var view = less(edit, func(_, resource, verb string) bool {
	name, sub, _ := strings.Cut(resource, "/")
	connects := slices.Contains([]string{"exec", "attach", "portforward", "proxy", "token"}, sub)
	return !slices.Contains(reading, verb) || name == "secrets" || name == "leases" || connects
})

func less(rules []rbacv1.PolicyRule, without func(group, resource, verb string) bool) []rbacv1.PolicyRule {
	var left []rbacv1.PolicyRule
	for _, rule := range rules {
		for _, part := range validation.BreakdownRule(rule) {
			if !without(part.APIGroups[0], part.Resources[0], part.Verbs[0]) {
				left = append(left, part)
			}
		}
	}
	return left
}

func holds(rules []rbacv1.PolicyRule, group, resource, verb string) bool {
	return slices.ContainsFunc(rules, func(rule rbacv1.PolicyRule) bool {
		return slices.Contains(rule.APIGroups, group) && slices.Contains(rule.Resources, resource) && slices.Contains(rule.Verbs, verb)
	})
}

// covers says whether a tenant of the class may write a right into a Role of its own.
func (class *classSpec) covers(group, resource, verb string) bool {
	if class.Ceilings.Roles == nil {
		// The highest of Kubernetes' own that the class lets tenants bind.
		for _, name := range []string{"admin", "edit", "view"} {
			if slices.Contains(class.clusterRoles(), name) {
				return holds(userFacing[name], group, resource, verb)
			}
		}
		return false
	}
	return slices.ContainsFunc(class.Ceilings.Roles, func(one bound) bool {
		if one.ClusterRole != "" {
			return holds(userFacing[one.ClusterRole], group, resource, verb)
		}
		return one.covers(group, resource, verb)
	})
}

func (b bound) covers(group, resource, verb string) bool {
	if !slices.Contains(b.Verbs, verb) &&
		!(slices.Contains(b.Verbs, "*") && slices.Contains(slices.Concat(reading, writing), verb)) {
		return false
	}
	isReading := slices.Contains(reading, verb)
	if !slices.Contains(b.APIGroups, group) &&
		!(slices.Contains(b.APIGroups, "*") && (isKubernetes(group) || isReading)) {
		return false
	}
	if slices.Contains(b.Resources, resource) {
		return true
	}
	// A wildcard stands for what admin may of Kubernetes' own, and for every kind of others.
	ordinary := !isKubernetes(group) || holds(admin, group, resource, verb)
	name, sub, isSub := strings.Cut(resource, "/")
	if isSub && slices.Contains(b.Resources, "*/"+sub) {
		return ordinary
	}
	if !slices.Contains(b.Resources, "*") || !ordinary {
		return false
	}
	if isSub {
		return isReading && slices.Contains([]string{"status", "scale", "log"}, sub)
	}
	return group != "" || name != "secrets"
}
