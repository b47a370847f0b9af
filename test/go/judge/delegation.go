package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// delegation says which folder below tenants/ may declare what (docs/classes.md).
type delegation struct {
	Folders []folder `json:"folders"`
}

type folder struct {
	Folder     string    `json:"folder"`
	Tenants    []string  `json:"tenants"`
	Namespaces []string  `json:"namespaces"`
	Labels     []opening `json:"labels"`
}

// row is that of a file: the deepest whose folder it is in; of two as deep the one with fewer stars.
func (d delegation) row(file string) *folder {
	parts := strings.Split(path.Dir(strings.TrimPrefix(file, "tenants/")), "/")
	if parts[0] == "." {
		parts = nil
	}
	var found *folder
	rank := func(one *folder) int {
		if one == nil {
			return -1
		}
		if one.Folder == "." {
			return 0
		}
		return 1000*(1+strings.Count(one.Folder, "/")) - strings.Count(one.Folder, "*")
	}
	for i := range d.Folders {
		one := &d.Folders[i]
		if one.holds(parts) && rank(one) > rank(found) {
			found = one
		}
	}
	return found
}

func (f folder) holds(parts []string) bool {
	if f.Folder == "." {
		return true
	}
	names := strings.Split(f.Folder, "/")
	if len(names) > len(parts) {
		return false
	}
	for i, name := range names {
		if name != "*" && name != parts[i] {
			return false
		}
	}
	return true
}

// delegated holds a Tenant against what its folder may declare.
func (c *court) delegated(t *tenant) {
	table := c.world.platform.Delegation
	row := table.row(t.file)
	if row == nil {
		row = &folder{Folder: "none", Tenants: []string{"*"}}
		if len(table.Folders) > 0 {
			row.Tenants = nil
		}
	}
	fits := func(patterns []string, name string) bool {
		return slices.ContainsFunc(patterns, func(one string) bool { return matchesGlob(one, name) })
	}
	if !fits(row.Tenants, t.name) {
		c.say("names/delegation", t.file, nil, fmt.Sprintf("the folder %s has no tenant %s", row.Folder, t.name))
	}
	for name := range t.namespaces() {
		if row.Namespaces != nil && !fits(row.Namespaces, name) {
			c.say("names/delegation", t.file, nil, fmt.Sprintf("the folder %s has no namespace %s", row.Folder, name))
		}
	}
	for key, value := range t.labels {
		if c.world.goesBy(key, value) && !opens(row.Labels, key, value) {
			c.say("names/delegation", t.file, nil, fmt.Sprintf("a class goes by the label %s: %s, and nobody granted it", key, value))
		}
	}
}

// goesBy: the label brings a tenant nearer to a class that chooses its tenants by it.
func (w *world) goesBy(key, value string) bool {
	for _, class := range w.classes {
		if class.AllowedTenants != nil && class.AllowedTenants.Selector != nil && nearer(class.AllowedTenants.Selector, key, value) {
			return true
		}
	}
	return false
}
