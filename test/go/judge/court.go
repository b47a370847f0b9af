package main

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// court hears one case.
type court struct {
	world *world
	// mine are the tenants that the attacker declares.
	mine  map[string]*tenant
	after texts
	// Of the attacker: objects by cluster and namespace, and the files that hold them.
	objects  map[place][]*object
	files    map[place][]string
	verdicts []verdict
}

type place struct{ cluster, namespace string }

// namespaceFile is one of the files of a namespace: those in `rbac/` and in `resources/`, and that of its bounds.
type namespaceFile struct{ folder, namespace string }

func (c *court) say(rule, file string, o *object, says string) {
	said := verdict{Rule: rule, File: file, Says: says}
	if o != nil {
		said.Object = o.String()
	}
	c.verdicts = append(c.verdicts, said)
}

// tenantFile is a file of a tenant: its Tenant, or one part of a namespace (docs/adr/0087).
var tenantFile = regexp.MustCompile(`^clusters/([^/]+)/tenants/([^/]+)/(?:tenant|((?:rbac/|resources/)?)namespace-([^/]+))\.yaml$`)

func judge(in *world, written, after texts) []verdict {
	c := &court{world: in, after: after, mine: map[string]*tenant{}, objects: map[place][]*object{}, files: map[place][]string{}, verdicts: []verdict{}}
	if !c.declare(written) {
		return c.verdicts
	}
	c.unchanged()
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if _, old := in.before[path]; old || isMark(path) {
			continue
		}
		if match := argoFile.FindStringSubmatch(path); match != nil && c.mine[match[1]] != nil {
			c.deployments(path, c.mine[match[1]])
			continue
		}
		if match := projectFile.FindStringSubmatch(path); match != nil && c.mine[match[2]] != nil {
			c.clusterProject(path, match[1], c.mine[match[2]])
			continue
		}
		match := tenantFile.FindStringSubmatch(path)
		if match == nil || c.mine[match[2]] == nil {
			c.say("names/outside", path, nil, "it is no file of a tenant that the attacker declares")
			continue
		}
		c.file(path, match[1], c.mine[match[2]], namespaceFile{match[3], match[4]})
	}
	c.places()
	c.bounds()
	c.rights()
	c.reach()
	c.room()
	c.facts()
	return c.verdicts
}

// declare reads what the attacker wrote: the tenants in it are hers unless they are somebody's already.
func (c *court) declare(written texts) bool {
	found, err := declarationsIn(written)
	if err != nil {
		c.say("structure/input", "", nil, "it rendered, though kubectl does not read what was written: "+err.Error())
		return false
	}
	for name := range found.classes {
		c.say("names/class", "", nil, "a file of tenants declares the class "+name)
	}
	for _, one := range found.tenants {
		for _, other := range c.world.tenants {
			if other.name == one.name {
				c.say("names/tenant", "", nil, "the tenant "+one.name+" is somebody else's")
			}
		}
		if c.mine[one.name] != nil {
			c.say("names/twice", "", nil, "the tenant "+one.name+" is declared twice")
		}
		name := one.spec.ClassName
		if name == "" {
			name = c.world.platform.DefaultClass
		}
		one.class = c.world.classes[name]
		if one.class == nil {
			c.say("bounds/class", "", nil, "nobody of the platform declares the class "+name)
			one.class = &classSpec{}
		}
		c.mine[one.name] = one
		c.delegated(one)
	}
	return true
}

// marks is the folder that has an empty file for every file of the output.
const marks = "OWNED/"

func isMark(path string) bool {
	return strings.HasPrefix(path, marks)
}

// markedBy is the file of a mark: the last slash of its path is a plus in the mark.
func markedBy(mark string) string {
	return strings.Replace(strings.TrimSuffix(strings.TrimPrefix(mark, marks), ".owned"), "+", "/", 1)
}

// unchanged holds what is rendered of everyone else against what it was. Every file there is has a mark.
func (c *court) unchanged() {
	for path, text := range c.world.before {
		now, has := c.after[path]
		if isMark(path) {
			continue
		}
		if !has {
			c.say("others/gone", path, nil, "it is not rendered any more")
		} else if now != text {
			c.say("others/changed", path, nil, "it is not what it was")
		}
	}
	var listed, there []string
	for path, text := range c.after {
		if !isMark(path) {
			there = append(there, path)
		} else if text == "" {
			listed = append(listed, markedBy(path))
		} else {
			listed = append(listed, path)
		}
	}
	slices.Sort(listed)
	slices.Sort(there)
	if !slices.Equal(listed, there) {
		c.say("others/files", marks, nil, "it does not mark the files that there are")
	}
}

// file judges each object of one file of a tenant; the namespace is empty for the Tenant's own file.
func (c *court) file(path, cluster string, t *tenant, of namespaceFile) {
	if !slices.ContainsFunc(c.clusters(), func(one string) bool { return one == cluster }) {
		c.say("names/cluster", path, nil, "the platform has no cluster "+cluster)
	}
	if allowed := t.class.Allow.Clusters; allowed != nil && !slices.Contains(allowed, cluster) {
		c.say("names/cluster", path, nil, "the class does not allow the cluster "+cluster)
	}
	objects := c.read(path, cluster)
	if of.namespace == "" {
		c.tenantItself(path, t, objects)
		return
	}
	at := place{cluster, of.namespace}
	c.objects[at] = append(c.objects[at], objects...)
	c.files[at] = append(c.files[at], path)
	c.order(path, objects)
	for _, o := range objects {
		if folder := folderOf(o); folder != of.folder {
			c.say("structure/part", path, o, fmt.Sprintf("it is in %q instead of %q", of.folder, folder))
		}
		c.metadata(t, o)
		c.staying(t, of.namespace, o)
		c.selfService(t, o)
	}
}

// places judges the files of each namespace together. A namespace without objects has no bounds to judge.
func (c *court) places() {
	for at, files := range c.files {
		objects := c.objects[at]
		c.names(files[0], c.tenantOf(at), at.namespace, objects)
		if len(files) != 3 {
			c.say("structure/part", files[0], nil, fmt.Sprintf("the namespace has the files %v", files))
		}
		if len(objects) == 0 {
			delete(c.objects, at)
		}
	}
}

func (c *court) clusters() []string {
	names := []string{}
	for _, one := range c.world.platform.Clusters {
		names = append(names, one.Name)
	}
	if len(names) == 0 {
		names = append(names, "in-cluster")
	}
	return names
}

// tenantItself: the file holds the Tenant as its author wrote it, and nothing else.
func (c *court) tenantItself(path string, t *tenant, objects []*object) {
	if len(objects) != 1 {
		c.say("names/tenant-file", path, nil, fmt.Sprintf("%d objects instead of the Tenant", len(objects)))
		return
	}
	o := objects[0]
	if o.APIVersion != ours || o.Kind != "Tenant" || o.meta.Name != t.name || o.meta.Namespace != "" {
		c.say("names/tenant-file", path, o, "it is not the Tenant "+t.name)
	}
	if _, has := o.value["status"]; has {
		c.say("structure/status", path, o, "status is for the operator to say")
	}
	c.anyMetadata(t, o)
	written, _ := t.whole["spec"].(map[string]any)
	rendered, _ := o.value["spec"].(map[string]any)
	if len(written) == 0 && len(rendered) == 0 || includesFiles(written) {
		return
	}
	if !reflect.DeepEqual(withoutEmpty(unpacked(withoutNulls(written))), withoutEmpty(withoutNulls(rendered))) {
		c.say("names/tenant-file", path, o, "its spec is not what kubectl reads in the declaration")
	}
}

// withoutNulls: in a declaration null is the same as absent.
func withoutNulls(value any) any {
	switch v := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for key, one := range v {
			if one != nil {
				kept[key] = withoutNulls(one)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i, one := range v {
			kept[i] = withoutNulls(one)
		}
		return kept
	}
	return value
}

// meant are the fields of which an empty mapping says something: selectors, and what becomes an object as it is.
var meant = map[string]bool{
	"podSelector": true, "namespaceSelector": true, "selector": true, "spec": true, "manifest": true, "values": true,
}

// withoutEmpty: server-side apply would write an empty mapping as null (docs/argocd.md), and elsewhere
// it says nothing.
func withoutEmpty(value any) any {
	switch v := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for key, one := range v {
			if meant[key] {
				kept[key] = one
				continue
			}
			left := withoutEmpty(one)
			if inner, is := left.(map[string]any); !is || len(inner) > 0 {
				kept[key] = left
			}
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i, one := range v {
			kept[i] = withoutEmpty(one)
		}
		return kept
	}
	return value
}

// unpacked: a List among resources stands for its items.
func unpacked(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, one := range v {
			v[key] = unpacked(one)
		}
	case []any:
		flat := make([]any, 0, len(v))
		for _, one := range v {
			flat = append(flat, itemsOf(unpacked(one))...)
		}
		return flat
	}
	return value
}

func itemsOf(entry any) []any {
	wrapper, _ := entry.(map[string]any)
	manifest, _ := wrapper["manifest"].(map[string]any)
	items, isList := manifest["items"].([]any)
	if len(wrapper) != 1 || !isList || manifest["apiVersion"] != "v1" || manifest["kind"] != "List" {
		return []any{entry}
	}
	flat := []any{}
	for _, one := range items {
		flat = append(flat, itemsOf(map[string]any{"manifest": one})...)
	}
	return flat
}

// includesFiles: `file` in an item of resources stands for what the file holds.
func includesFiles(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		if _, has := v["file"].(string); has {
			return true
		}
		for _, one := range v {
			if includesFiles(one) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, includesFiles)
	}
	return false
}
