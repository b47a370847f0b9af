package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const (
	syncOptions    = "argocd.argoproj.io/sync-options"
	compareOptions = "argocd.argoproj.io/compare-options"
)

// staying: what Argo CD reads of an object before it removes it (docs/adr/0078). A Namespace never
// goes by a sync, access always may, and no sync ever waits for a person.
func (c *court) staying(t *tenant, namespace string, o *object) {
	said := options(o.meta.Annotations[syncOptions])
	quiet := o.meta.Annotations[compareOptions]
	wrong := func(want string) {
		c.say("metadata/staying", o.file, o, fmt.Sprintf("Argo CD reads the options %v (%q), %s", said, quiet, want))
	}
	if len(said) == 0 && quiet == "" && t.unprotected() {
		return
	}
	life := t.namespaces()[namespace].lifecycle
	access := o.group() == "rbac.authorization.k8s.io"
	want := []string{}
	switch {
	case life == "Retired" && o.isNamespace() && c.isTheLastOf(t, o.cluster):
		want = []string{"Delete=confirm", "Prune=false"}
	case life == "Retired" || o.isNamespace():
		want = []string{"Delete=false", "Prune=false"}
	case !access:
		want = []string{"Delete=false"}
	}
	if !slices.Equal(said, want) {
		wrong(fmt.Sprintf("instead of %v", want))
	}
	// What no sync removes is no difference that a sync could end.
	if (quiet == "IgnoreExtraneous") != slices.Contains(said, "Prune=false") {
		wrong("and is told of what it may not remove")
	}
}

func options(text string) []string {
	found := strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
	slices.Sort(found)
	return found
}

// isTheLastOf: no namespace of the tenant is alive on a cluster.
func (c *court) isTheLastOf(t *tenant, cluster string) bool {
	lives := t.namespaces()
	for file := range maps.Keys(c.after) {
		match := tenantFile.FindStringSubmatch(file)
		if match == nil || match[1] != cluster || match[2] != t.name || match[4] == "" {
			continue
		}
		if lives[match[4]].lifecycle != "Retired" {
			return false
		}
	}
	return true
}

// unprotected: the tenant or its class says somewhere that deletion needs nobody's word.
func (t *tenant) unprotected() bool {
	return saysNone(t.whole) || saysNone(t.class.whole)
}

func saysNone(node any) bool {
	switch value := node.(type) {
	case map[string]any:
		if protection, is := value["protection"].(map[string]any); is && protection["deletion"] == "None" {
			return true
		}
		return slices.ContainsFunc(slices.Collect(maps.Values(value)), saysNone)
	case []any:
		return slices.ContainsFunc(value, saysNone)
	}
	return false
}
