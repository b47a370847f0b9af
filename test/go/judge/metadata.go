package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
)

// metadata judges the labels and annotations of an object of a namespace's file, and reads it as
// Kubernetes' type where a tenant's fields make it.
func (c *court) metadata(t *tenant, o *object) {
	var typed any
	switch o.group() + "/" + o.Kind {
	case "/Namespace":
		typed = &corev1.Namespace{}
	case "/ResourceQuota":
		typed = &corev1.ResourceQuota{}
	case "/LimitRange":
		typed = &corev1.LimitRange{}
	case "/ServiceAccount":
		typed = &corev1.ServiceAccount{}
	case "rbac.authorization.k8s.io/Role":
		typed = &rbacv1.Role{}
	case "rbac.authorization.k8s.io/RoleBinding":
		typed = &rbacv1.RoleBinding{}
	case "networking.k8s.io/NetworkPolicy":
		typed = &networkingv1.NetworkPolicy{}
	case "policy/PodDisruptionBudget":
		typed = &policyv1.PodDisruptionBudget{}
	}
	if typed != nil {
		if err := o.into(typed); err != nil {
			c.say("structure/fields", o.file, o, err.Error())
		}
	}
	for key, value := range map[string]string{"app.kubernetes.io/managed-by": "tenantry", "tenantry.dev/tenant": t.name} {
		if o.meta.Labels[key] != value {
			c.say("metadata/owner", o.file, o, fmt.Sprintf("its label %s is %q", key, o.meta.Labels[key]))
		}
	}
	c.wave(o)
	c.anyMetadata(t, o)
	if o.isNamespace() {
		c.namespaceMetadata(t, o)
	}
}

func (o *object) isNamespace() bool { return o.group() == "" && o.Kind == "Namespace" }
func (o *object) isTenant() bool    { return o.group() == "tenantry.dev" }

// anyMetadata: every key is of the closed list of Tenantry's own, said by the class, or open.
func (c *court) anyMetadata(t *tenant, o *object) {
	for _, key := range slices.Concat(slices.Sorted(maps.Keys(o.meta.Labels)), slices.Sorted(maps.Keys(o.meta.Annotations))) {
		for _, wrong := range validation.IsQualifiedName(key) {
			c.say("metadata/form", o.file, o, fmt.Sprintf("the key %q %s", key, wrong))
		}
	}
	for key, value := range o.meta.Labels {
		for _, wrong := range validation.IsValidLabelValue(value) {
			c.say("metadata/form", o.file, o, fmt.Sprintf("the value of %s %s", key, wrong))
		}
		if !o.hasOwnLabel(key) {
			c.key(t, o, "label", key, value, t.class.Allow.Labels)
		}
	}
	for key, value := range o.meta.Annotations {
		contact := o.isNamespace() && slices.Contains(slices.Collect(maps.Values(c.world.platform.MetadataKeys)), key)
		if !contact && !o.hasOwnAnnotation(key) {
			c.key(t, o, "annotation", key, value, t.class.Allow.Annotations)
		}
	}
}

// hasOwnLabel: the closed list of docs/reference/metadata.md. Values are asked elsewhere.
func (o *object) hasOwnLabel(key string) bool {
	switch {
	case o.isTenant():
		return false
	case key == "app.kubernetes.io/managed-by" || key == "tenantry.dev/tenant":
		return true
	case !o.isNamespace():
		return false
	}
	return key == "tenantry.dev/environment" || strings.HasPrefix(key, facts) || slices.Contains(podSecurityKeys, key)
}

func (o *object) hasOwnAnnotation(key string) bool {
	switch {
	case o.isTenant():
		return false
	case key == syncWave, key == syncOptions, key == compareOptions:
		return true // c.wave and c.staying tell
	case !o.isNamespace():
		return false
	}
	return strings.HasPrefix(key, facts)
}

func (c *court) key(t *tenant, o *object, what, key, value string, allowed []opening) {
	if among(nobodys, key) {
		c.say("metadata/tracking", o.file, o, fmt.Sprintf("the %s %s: %s is for nobody to declare", what, key, value))
		return
	}
	if o.isNamespace() {
		if allowed == nil {
			allowed = openByDefault
		}
		said := t.class.labels(t.namespaces()[o.meta.Name].environment, key, value)
		if what == "annotation" {
			said = t.class.annotates(t.namespaces()[o.meta.Name].environment, key, value)
		}
		if !said && !opens(allowed, key, value) {
			c.say("metadata/closed", o.file, o, fmt.Sprintf("the class does not open the %s %s: %s", what, key, value))
		}
		return
	}
	if among(closedDomains, key) && !among(openOnObjects, key) && !opens(allowed, key, value) && !t.class.puts(o, key, value) {
		c.say("metadata/closed", o.file, o, fmt.Sprintf("a program that reads Git may obey the %s %s: %s", what, key, value))
	}
}

// wave: no object waits for another, so that one that fails holds up no other
// (docs/adr/0087-access-has-its-own-application.md).
func (c *court) wave(o *object) {
	if got, has := o.meta.Annotations[syncWave]; has {
		c.say("metadata/wave", o.file, o, fmt.Sprintf("it is in the wave %q instead of none", got))
	}
}

// namespaceMetadata: what the class says is the platform's word, all else is the attacker's.
func (c *court) namespaceMetadata(t *tenant, o *object) {
	entry := t.namespaces()[o.meta.Name]
	if value := o.meta.Labels["tenantry.dev/environment"]; value != entry.environment {
		c.say("metadata/owner", o.file, o, fmt.Sprintf("its environment is %q, declared is %q", value, entry.environment))
	}
	if known := c.world.platform.Environments; known != nil && entry.environment != "" && !slices.Contains(known, entry.environment) {
		c.say("metadata/owner", o.file, o, "the platform has no environment "+entry.environment)
	}
	for key, value := range o.meta.Labels {
		if o.hasOwnLabel(key) || t.class.labels(entry.environment, key, value) {
			continue
		}
		if strings.HasPrefix(key, "pod-security.kubernetes.io/") || key == metav1NamespaceName {
			c.say("metadata/trusted", o.file, o, "the API server goes by the label "+key)
		}
		if slices.Contains(c.world.platform.TrustedLabels, key) {
			c.say("metadata/trusted", o.file, o, "the platform trusts the label "+key)
		}
		for _, selector := range c.world.platform.selectors() {
			if nearer(selector, key, value) {
				c.say("metadata/selected", o.file, o, fmt.Sprintf("with %s: %s it passes for the platform's own", key, value))
			}
		}
	}
}

// nearer: a requirement on the key holds with the label and does not hold without it.
func nearer(selector *metav1.LabelSelector, key, value string) bool {
	asked, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return false
	}
	requirements, _ := asked.Requirements()
	return slices.ContainsFunc(requirements, func(one labels.Requirement) bool {
		return one.Key() == key && one.Matches(labels.Set{key: value}) && !one.Matches(labels.Set{})
	})
}
