package main

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// stranger is the name of a namespace, and a tenant, of which nobody can have thought.
const stranger = "zz-stranger-5d1e"

// strangers are namespaces of others as one would find them: what every tenant's has, in every
// class, environment and Pod Security level; what Kubernetes makes; what stands already.
func (c *court) strangers() []map[string]string {
	bare := map[string]string{metav1NamespaceName: stranger}
	found := []map[string]string{bare, {metav1NamespaceName: "kube-system"}}
	base := merged(bare, map[string]string{"app.kubernetes.io/managed-by": "tenantry", "tenantry.dev/tenant": stranger})
	environments := append([]string{""}, c.world.platform.Environments...)
	for _, class := range c.world.classes {
		for _, layer := range class.layers() {
			if layer.Name != "" {
				environments = append(environments, layer.Name)
			}
		}
	}
	slices.Sort(environments)
	for _, class := range c.world.classes {
		for _, environment := range slices.Compact(environments) {
			of := merged(base, class.Defaults.Labels)
			if environment != "" {
				of["tenantry.dev/environment"] = environment
			}
			for _, layer := range class.Environments {
				if layer.Name == environment {
					of = merged(of, layer.Labels)
				}
			}
			for _, level := range []string{"privileged", "baseline", "restricted"} {
				one := merged(of)
				for _, mode := range []string{"enforce", "audit", "warn"} {
					one["pod-security.kubernetes.io/"+mode] = level
					one["pod-security.kubernetes.io/"+mode+"-version"] = "latest"
				}
				found = append(found, one, merged(of, map[string]string{"pod-security.kubernetes.io/enforce": level}))
			}
		}
	}
	return append(found, c.world.labels...)
}

// matchesSome says which of these namespaces a selector takes.
func matchesSome(selector *metav1.LabelSelector, namespaces []map[string]string) map[string]string {
	asked, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return nil
	}
	for _, one := range namespaces {
		if asked.Matches(labels.Set(one)) {
			return one
		}
	}
	return nil
}

// foreign makes a namespace that is not the tenant's and that a selector takes, if there can be one:
// others may put on any label but its name and whose it is.
func (t *tenant) foreign(selector *metav1.LabelSelector) (map[string]string, bool) {
	asked, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return nil, false
	}
	requirements, _ := asked.Requirements()
	made := map[string]string{metav1NamespaceName: stranger}
	candidates := map[string][]string{metav1NamespaceName: {stranger}}
	for _, each := range requirements {
		key := each.Key()
		candidates[key] = append(candidates[key], each.ValuesUnsorted()...)
		candidates[key] = append(candidates[key], "x", "y", "z")
	}
	for key, values := range candidates {
		fits := func(set labels.Set) bool {
			for _, each := range requirements {
				if each.Key() == key && !each.Matches(set) {
					return false
				}
			}
			return true
		}
		if key != metav1NamespaceName && fits(labels.Set{}) {
			continue
		}
		i := slices.IndexFunc(values, func(value string) bool {
			if key == metav1NamespaceName && t.owns(value) || key == "tenantry.dev/tenant" && value == t.name {
				return false
			}
			return fits(labels.Set{key: value})
		})
		if i < 0 {
			return nil, false
		}
		made[key] = values[i]
	}
	return made, asked.Matches(labels.Set(made))
}
