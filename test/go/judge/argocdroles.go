package main

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
)

// argoRole is a role of a project: what whom Argo CD lets do with which Applications.
type argoRole struct {
	Description string   `json:"description"`
	Groups      []string `json:"groups"`
	Name        string   `json:"name"`
	Policies    []string `json:"policies"`
}

// argoActions is what a class lets people of each level do in Argo CD.
type argoActions struct{ Admins, Editors, Viewers []string }

func (actions argoActions) of(level string) []string {
	return map[string][]string{"admins": actions.Admins, "editors": actions.Editors, "viewers": actions.Viewers}[level]
}

func (a access) level(level string) []string {
	return map[string]holders{"admins": a.Admins, "editors": a.Editors, "viewers": a.Viewers}[level].Groups
}

// argoRole: groups that have the level where the role reaches, and what the class lets it do.
func (c *court) argoRole(path string, t *tenant, o *object, role argoRole) {
	level, namespace, isOne := strings.Cut(role.Name, "-")
	object := "tenant-" + t.name + "/*"
	if isOne {
		object = "tenant-" + t.name + "/" + namespace + ".*"
		if !t.owns(namespace) {
			c.say("argocd/role", path, o, role.Name+" is for no namespace of the tenant")
		}
	}
	for _, policy := range role.Policies {
		fields, err := csvOf(policy)
		if err != nil || len(fields) != 6 {
			c.say("argocd/role", path, o, policy+" is no policy")
			continue
		}
		action := fields[3]
		if fields[2] == "logs" && action == "get" {
			action = "logs"
		} else if fields[2] != "applications" {
			action = fields[2] + " " + action
		}
		about := fields[0] == "p" && fields[1] == "proj:tenant-"+t.name+":"+role.Name && fields[4] == object && fields[5] == "allow"
		if !about || !slices.Contains(t.class.ArgoCD.Roles.of(level), action) || strings.Contains(action, "*") {
			c.say("argocd/role", path, o, policy+" is not what the class lets "+level+" do")
		}
	}
	for _, written := range role.Groups {
		fields, err := csvOf("g, " + written + ", x")
		if err != nil || len(fields) != 3 || strings.HasPrefix(fields[1], "role:") || strings.HasPrefix(fields[1], "proj:") {
			c.say("argocd/group", path, o, fmt.Sprintf("Argo CD misreads %q", written))
			continue
		}
		for name := range t.namespaces() {
			if (!isOne || name == namespace) && !t.holds(fields[1], level, name) {
				c.say("argocd/group", path, o, fmt.Sprintf("%q does not hold %s in %s", fields[1], level, name))
			}
		}
	}
}

// holds says whether a group has a level in a namespace that is alive.
func (t *tenant) holds(group, level, namespace string) bool {
	life := t.namespaces()[namespace]
	said := t.spec.Access.level(level)
	for _, layer := range t.class.in(life.environment) {
		said = append(slices.Clone(said), layer.Access.level(level)...)
	}
	for _, entry := range t.spec.Namespaces {
		if t.spec.NamespacePrefix+entry.Name == namespace {
			said = append(slices.Clone(said), entry.Access.level(level)...)
		}
	}
	return life.lifecycle == "Active" && slices.Contains(said, group)
}

// csvOf reads a line as Argo CD's RBAC does.
func csvOf(line string) ([]string, error) {
	reader := csv.NewReader(strings.NewReader(line))
	reader.TrimLeadingSpace = true
	return reader.Read()
}
