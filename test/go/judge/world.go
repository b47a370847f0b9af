package main

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	sigs "sigs.k8s.io/yaml"
)

// world is the platform, its classes and everybody else's tenants, before the attacker writes.
type world struct {
	platform platformSpec
	classes  map[string]*classSpec
	tenants  []*tenant
	// owners are the tenants of namespaces by name.
	owners map[string]string
	before texts
	// labels are those of the namespaces that stand already.
	labels []map[string]string
}

func newWorld(asked request) (*world, error) {
	w := &world{classes: map[string]*classSpec{}, owners: map[string]string{}, before: asked.Before}
	var file struct {
		Spec platformSpec `json:"spec"`
	}
	if err := sigs.Unmarshal([]byte(asked.Platform), &file); err != nil {
		return nil, err
	}
	w.platform = file.Spec
	w.platform.fill()
	found, err := declarationsIn(asked.Others)
	if err != nil {
		return nil, err
	}
	w.classes, w.tenants = found.classes, found.tenants
	w.platform.Kinds = append(w.platform.Kinds, found.kinds...)
	for _, one := range found.tenants {
		for name := range one.namespaces() {
			w.owners[name] = one.name
		}
	}
	c := &court{world: w, after: asked.Before}
	for path := range asked.Before {
		if match := tenantFile.FindStringSubmatch(path); match != nil {
			for _, o := range c.read(path, match[1]) {
				if o.Kind == "Namespace" {
					w.labels = append(w.labels, merged(o.meta.Labels, map[string]string{metav1NamespaceName: o.meta.Name}))
				}
			}
		}
	}
	return w, nil
}

const metav1NamespaceName = "kubernetes.io/metadata.name"

func inNamespace(name string, pods map[string]string) peers {
	one := peers{{NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{metav1NamespaceName: name}}}}
	if pods != nil {
		one[0].PodSelector = &metav1.LabelSelector{MatchLabels: pods}
	}
	return one
}

// fill says what docs/classes.md says of a platform file that lacks a field.
func (p *platformSpec) fill() {
	or := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	or(&p.DefaultClass, "default")
	or(&p.ArgoCD.Namespace, "argocd")
	or(&p.Operator.Namespace, "tenantry-system")
	if p.IngressControllers == nil {
		p.IngressControllers = inNamespace("ingress-nginx", nil)
	}
	if p.Monitoring == nil {
		p.Monitoring = inNamespace("monitoring", nil)
	}
	if p.DNS == nil {
		p.DNS = inNamespace("kube-system", map[string]string{"k8s-app": "kube-dns"})
	}
	if p.MetadataKeys == nil {
		p.MetadataKeys = map[string]string{}
		for _, key := range []string{"team", "channel", "source", "owner"} {
			p.MetadataKeys[key] = "tenantry.dev/" + key
		}
	}
}

// on gives the trusted peers of a cluster.
func (p *platformSpec) on(cluster string) trusted {
	all := p.trusted
	for _, one := range p.Clusters {
		if one.Name != cluster {
			continue
		}
		if one.IngressControllers != nil {
			all.IngressControllers = one.IngressControllers
		}
		if one.Monitoring != nil {
			all.Monitoring = one.Monitoring
		}
		if one.DNS != nil {
			all.DNS = one.DNS
		}
	}
	return all
}

// selectors are all by which the platform trusts a namespace, on any cluster.
func (p *platformSpec) selectors() []*metav1.LabelSelector {
	lists := []trusted{p.trusted}
	for _, one := range p.Clusters {
		lists = append(lists, one.trusted)
	}
	var found []*metav1.LabelSelector
	for _, one := range lists {
		for _, peer := range slices.Concat(one.IngressControllers, one.Monitoring, one.DNS) {
			if peer.NamespaceSelector != nil {
				found = append(found, peer.NamespaceSelector)
			}
		}
	}
	return found
}

// isProtected: default, kube-*, Argo CD's and the operator's namespace, those of the platform's list,
// and those where the platform trusts what runs.
func (p *platformSpec) isProtected(name string) bool {
	patterns := append([]string{"default", "kube-*", p.ArgoCD.Namespace, p.Operator.Namespace}, p.ProtectedNamespaces...)
	for _, selector := range p.selectors() {
		if value, has := selector.MatchLabels[metav1NamespaceName]; has {
			patterns = append(patterns, value)
		}
		for _, requirement := range selector.MatchExpressions {
			if requirement.Key == metav1NamespaceName && requirement.Operator == metav1.LabelSelectorOpIn {
				patterns = append(patterns, requirement.Values...)
			}
		}
	}
	return slices.ContainsFunc(patterns, func(one string) bool { return matchesGlob(one, name) })
}
