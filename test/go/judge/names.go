package main

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/util/validation"
)

// Namespaced kinds of Kubernetes that a tenant's file gives by fields of its own.
var composed = map[string]bool{
	"/ServiceAccount": true, "/ResourceQuota": true, "/LimitRange": true,
	"rbac.authorization.k8s.io/Role": true, "rbac.authorization.k8s.io/RoleBinding": true,
	"networking.k8s.io/NetworkPolicy": true, "policy/PodDisruptionBudget": true,
}

// Namespaced kinds that the holder of Kubernetes' ClusterRole `admin` may create. What is rendered is
// applied by somebody who may do everything: of further kinds, a tenant gets more than people have.
// https://kubernetes.io/docs/reference/access-authn-authz/rbac/#user-facing-roles
var creatable = map[string]bool{
	"/ConfigMap": true, "/PersistentVolumeClaim": true, "/Pod": true, "/ReplicationController": true,
	"/Secret": true, "/Service": true, "/Event": true, "events.k8s.io/Event": true,
	"apps/DaemonSet": true, "apps/Deployment": true, "apps/ReplicaSet": true, "apps/StatefulSet": true,
	"autoscaling/HorizontalPodAutoscaler": true, "batch/CronJob": true, "batch/Job": true,
	"networking.k8s.io/Ingress": true, "coordination.k8s.io/Lease": true,
	"resource.k8s.io/ResourceClaim": true, "resource.k8s.io/ResourceClaimTemplate": true,
}

// isKubernetes: groups without a domain, and those that Kubernetes itself serves.
func isKubernetes(group string) bool {
	if !strings.Contains(group, ".") {
		return true
	}
	for _, served := range []string{
		"admissionregistration", "apiextensions", "apiregistration", "authentication", "authorization",
		"certificates", "coordination", "discovery", "events", "flowcontrol.apiserver",
		"internal.apiserver", "networking", "node", "rbac.authorization", "resource", "scheduling",
		"storage", "storagemigration",
	} {
		if group == served+".k8s.io" {
			return true
		}
	}
	return false
}

// names holds every object of a namespace's files against who may have its name.
func (c *court) names(file string, t *tenant, namespace string, objects []*object) {
	if !t.owns(namespace) {
		c.say("names/foreign", file, nil, "the tenant "+t.name+" declares no namespace "+namespace)
	}
	if owner, taken := c.world.owners[namespace]; taken {
		c.say("names/foreign", file, nil, "the namespace is that of the tenant "+owner)
	}
	for _, other := range c.mine {
		if other != t && other.owns(namespace) {
			c.say("names/foreign", file, nil, "the namespace is that of the tenant "+other.name+" too")
		}
	}
	if c.world.platform.isProtected(namespace) {
		c.say("names/protected", file, nil, "the platform protects the namespace "+namespace)
	}
	for _, wrong := range validation.IsDNS1123Label(namespace) {
		c.say("names/form", file, nil, wrong)
	}
	seen := map[string]bool{}
	namespaces := 0
	for _, o := range objects {
		key := fmt.Sprintf("%s/%s/%s", o.group(), o.Kind, o.meta.Name)
		if seen[key] {
			c.say("names/twice", file, o, "the namespace has two of it")
		}
		seen[key] = true
		if o.group() == "" && o.Kind == "Namespace" {
			namespaces++
			if o.meta.Name != namespace || o.meta.Namespace != "" {
				c.say("names/foreign", file, o, "it is not the namespace of the file")
			}
			continue
		}
		c.namespaced(t, namespace, o)
	}
	if namespaces != 1 {
		c.say("names/namespace", file, nil, fmt.Sprintf("%d Namespaces instead of one", namespaces))
	}
}

func (c *court) namespaced(t *tenant, namespace string, o *object) {
	if o.meta.Namespace != namespace {
		c.say("names/foreign", o.file, o, "it is not in the namespace of the file")
	}
	for _, wrong := range path.IsValidPathSegmentName(o.meta.Name) {
		c.say("names/form", o.file, o, "its name "+wrong)
	}
	group, kind := o.group(), o.Kind
	if isKubernetes(group) {
		key := group + "/" + kind
		if !composed[key] && !creatable[key] && !named(t.class, group, kind) {
			c.say("names/kind", o.file, o, "it is cluster-scoped, or nothing that an admin of a namespace may create")
		}
	} else if !c.world.platform.isNamespaced(group, kind) {
		c.say("names/kind", o.file, o, "the platform knows no namespaced kind "+kind+" of "+group)
	}
	// What the class itself puts there is its word.
	if !composed[group+"/"+kind] && t.class.declares(o) == nil && !t.class.allows(group, kind) {
		c.say("bounds/kind", o.file, o, "the class does not allow it under resources")
	}
}

func (p *platformSpec) isNamespaced(group, kind string) bool {
	for _, one := range p.Kinds {
		if one.Group == group && one.Kind == kind {
			return one.Scope == "Namespaced"
		}
	}
	return false
}

// named: the class says the kind, not a wildcard.
func named(class *classSpec, group, kind string) bool {
	for _, one := range class.Allow.Resources {
		if one.Group == group && one.Kind == kind {
			return true
		}
	}
	return false
}

// Groups whose network policies can outrank those of Kubernetes.
var networkGroups = map[string]bool{
	"projectcalico.org": true, "crd.projectcalico.org": true, "cilium.io": true,
	"crd.antrea.io": true, "k8s.ovn.org": true,
}

// allows says whether a class takes a kind under resources. A wildcard stands for ordinary kinds only.
func (class *classSpec) allows(group, kind string) bool {
	if named(class, group, kind) {
		return true
	}
	if networkGroups[group] || group == "argoproj.io" || isKubernetes(group) && !creatable[group+"/"+kind] {
		return false
	}
	if class.Allow.Resources == nil {
		return true
	}
	for _, one := range class.Allow.Resources {
		if (one.Kind == "*" || one.Kind == kind) && (one.Group == "*" || one.Group == group) {
			return true
		}
	}
	return false
}
