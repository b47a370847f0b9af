package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
)

// bounds holds each tenant of the attacker against the ceilings of its class.
func (c *court) bounds() {
	for _, name := range slices.Sorted(maps.Keys(c.mine)) {
		t := c.mine[name]
		if !t.class.takes(t) {
			c.say("bounds/class", "", nil, "the class is not for the tenant "+t.name)
		}
		most := t.class.Ceilings.Namespaces
		if count := len(t.namespaces()); most > 0 && count > most {
			c.say("bounds/namespaces", "", nil, fmt.Sprintf("%d namespaces, and %d allowed", count, most))
		}
		sums := map[string]*resource.Quantity{}
		for at, objects := range c.objects {
			if !t.owns(at.namespace) {
				continue
			}
			hard := c.quotaOf(objects)
			c.within("bounds/quota", objects, hard, withRoom(t.class.Ceilings.Quota, objects))
			for key := range t.class.Ceilings.TenantQuota {
				value, has := hard[key]
				if !has {
					c.say("bounds/tenant-quota", objects[0].file, nil, "no quota bounds "+key)
				} else if sums[key] == nil {
					sums[key] = &value
				} else {
					sums[key].Add(value)
				}
			}
			c.limits(t, objects)
			c.podSecurity(t, objects)
		}
		for key, sum := range sums {
			if most := t.class.Ceilings.TenantQuota[key]; sum.Cmp(most) > 0 {
				c.say("bounds/tenant-quota", "", nil, fmt.Sprintf("%s of %s for the tenant %s, and %s allowed", sum, key, name, most.String()))
			}
		}
	}
}

// takes: without allowedTenants a class is for all; otherwise one match is enough.
func (class *classSpec) takes(t *tenant) bool {
	allowed := class.AllowedTenants
	if allowed == nil {
		return true
	}
	if slices.ContainsFunc(allowed.Names, func(one string) bool { return matchesGlob(one, t.name) }) {
		return true
	}
	if allowed.Selector == nil {
		return false
	}
	selector, err := metav1.LabelSelectorAsSelector(allowed.Selector)
	return err == nil && selector.Matches(labels.Set(t.labels))
}

// neighborQuotas are the platform's own quotas in each namespace (docs/adr/0094-quotas-protect-neighbors.md).
var neighborQuotas = []string{"tenant-affinity", "tenant-objects", "tenant-priority"}

// withRoom: a ceiling of quotas is about those of the tenant; the platform's own come on top.
func withRoom(most quantities, objects []*object) quantities {
	wide := maps.Clone(most)
	for _, key := range []string{"resourcequotas", "count/resourcequotas"} {
		value, has := most[key]
		if !has {
			continue
		}
		value = value.DeepCopy()
		for _, o := range objects {
			if o.group() == "" && o.Kind == "ResourceQuota" && slices.Contains(neighborQuotas, o.meta.Name) {
				value.Add(*resource.NewQuantity(1, resource.DecimalSI))
			}
		}
		wide[key] = value
	}
	return wide
}

func (c *court) within(rule string, objects []*object, has, most quantities) {
	for key, ceiling := range most {
		value, there := has[key]
		if !there {
			c.say(rule, objects[0].file, nil, "no quota bounds "+key)
		} else if value.Cmp(ceiling) > 0 {
			c.say(rule, objects[0].file, nil, fmt.Sprintf("%s of %s, and %s allowed", value.String(), key, ceiling.String()))
		}
	}
}

// https://kubernetes.io/docs/concepts/policy/resource-quotas/
var quotaKeys = strings.Fields(`cpu memory ephemeral-storage requests.cpu requests.memory
requests.storage requests.ephemeral-storage limits.cpu limits.memory limits.ephemeral-storage pods
resourcequotas services replicationcontrollers secrets persistentvolumeclaims configmaps
services.nodeports services.loadbalancers`)

// quotaOf gives what every pod of a namespace is bound to: quotas with scopes are for some pods only.
func (c *court) quotaOf(objects []*object) quantities {
	hard := quantities{}
	for _, o := range objects {
		var quota corev1.ResourceQuota
		if o.group() != "" || o.Kind != "ResourceQuota" || o.into(&quota) != nil {
			continue
		}
		for name, value := range quota.Spec.Hard {
			key := string(name)
			known := slices.Contains(quotaKeys, key) || strings.HasPrefix(key, "hugepages-") || strings.HasPrefix(key, "requests.hugepages-")
			if len(validation.IsQualifiedName(key)) > 0 || !known && !strings.Contains(key, "/") {
				c.say("bounds/quota-key", o.file, o, fmt.Sprintf("the API server refuses the key %q, and so the whole quota", key))
			}
			if value.Sign() < 0 {
				c.say("bounds/quota-key", o.file, o, key+" is below zero")
			}
			if quota.Spec.Scopes != nil || quota.Spec.ScopeSelector != nil {
				continue
			}
			// Kubernetes counts cpu as requests.cpu, and so on.
			for _, alias := range []string{"cpu", "memory", "ephemeral-storage"} {
				if key == alias {
					key = "requests." + alias
				}
			}
			if before, has := hard[key]; !has || value.Cmp(before) < 0 {
				hard[key] = value
			}
		}
	}
	return hard
}

func (c *court) limits(t *tenant, objects []*object) {
	for _, o := range objects {
		var limits corev1.LimitRange
		if o.group() != "" || o.Kind != "LimitRange" || o.into(&limits) != nil {
			continue
		}
		for _, item := range limits.Spec.Limits {
			for _, values := range []corev1.ResourceList{item.Max, item.Min, item.Default, item.DefaultRequest} {
				for key, value := range values {
					if most, has := t.class.Ceilings.Limits[string(key)]; has && value.Cmp(most) > 0 {
						c.say("bounds/limits", o.file, o, fmt.Sprintf("%s of %s, and %s allowed", value.String(), key, most.String()))
					}
				}
			}
		}
	}
}

// https://kubernetes.io/docs/concepts/security/pod-security-admission/
var levels = []string{"privileged", "baseline", "restricted"}

// podSecurity: no label is privileged; older versions of a level ask less.
func (c *court) podSecurity(t *tenant, objects []*object) {
	least := slices.Index(levels, t.class.Ceilings.PodSecurity)
	for _, o := range objects {
		if o.Kind != "Namespace" || o.group() != "" || least <= 0 {
			continue
		}
		const enforce = "pod-security.kubernetes.io/enforce"
		if level := slices.Index(levels, o.meta.Labels[enforce]); level < least {
			c.say("bounds/pod-security", o.file, o, fmt.Sprintf("it enforces %q, and the class asks for %s", o.meta.Labels[enforce], levels[least]))
		}
		version := o.meta.Labels[enforce+"-version"]
		said := slices.ContainsFunc(t.class.layers(), func(one layer) bool { return one.PodSecurity.Version == version })
		if version != "" && version != "latest" && !said {
			c.say("bounds/pod-security", o.file, o, "it enforces the level of "+version+", which asked less")
		}
	}
}
