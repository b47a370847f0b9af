package main

import (
	"fmt"
	"reflect"
	"regexp"
)

// projectFile holds what Argo CD may sync of a tenant's rendered files to a cluster.
var projectFile = regexp.MustCompile(`^argocd/projects/([^/]+)/([^/]+)\.yaml$`)

// argoClusterProject has the fields that may be said of such a project, and no others.
type argoClusterProject struct {
	argoHead
	Spec struct {
		Description              string            `json:"description"`
		SourceRepos              []string          `json:"sourceRepos"`
		Destinations             []argoDestination `json:"destinations"`
		ClusterResourceWhitelist []struct {
			argoKind
			Name string `json:"name"`
		} `json:"clusterResourceWhitelist"`
		NamespaceResourceBlacklist []argoKind `json:"namespaceResourceBlacklist"`
	} `json:"spec"`
}

// clusterProject: who writes into a tenant's folder reaches the tenant's own namespaces on the cluster, and of what is in
// no namespace these and the Tenant, by name.
func (c *court) clusterProject(path, on string, t *tenant) {
	objects := c.read(path, "")
	if len(objects) != 1 {
		c.say("argocd/object", path, nil, fmt.Sprintf("%d objects instead of the project", len(objects)))
		return
	}
	o := objects[0]
	if o.group() != "argoproj.io" || o.Kind != "AppProject" || o.meta.Namespace != c.world.platform.ArgoCD.Namespace {
		c.say("argocd/object", path, o, "it is no project of Argo CD's, in its namespace")
	}
	if o.meta.Name != on+"."+t.name {
		c.say("argocd/name", path, o, "it is not the project of the tenant on the cluster")
	}
	if !reflect.DeepEqual(o.meta.Finalizers, []string{"resources-finalizer.argocd.argoproj.io"}) {
		c.say("argocd/finalizer", path, o, "an Application whose project is gone deletes nothing")
	}
	var one argoClusterProject
	if err := o.into(&one); err != nil {
		c.say("argocd/field", path, o, err.Error())
	}
	if want := []string{c.world.platform.ArgoCD.Source.RepoURL}; !reflect.DeepEqual(one.Spec.SourceRepos, want) {
		c.say("argocd/repository", path, o, fmt.Sprintf("it syncs from %v instead of %v", one.Spec.SourceRepos, want))
	}
	server := ""
	for _, each := range c.world.platform.Clusters {
		if each.Name == on {
			server = each.Server
		}
	}
	for _, place := range one.Spec.Destinations {
		if place.Server != server || place.Namespace != "" && !t.owns(place.Namespace) {
			c.say("argocd/destination", path, o, fmt.Sprintf("%q at %q", place.Namespace, place.Server))
		}
	}
	for _, kind := range one.Spec.ClusterResourceWhitelist {
		isNamespace := kind.Group == "" && kind.Kind == "Namespace" && t.owns(kind.Name)
		isTenant := kind.Group == "tenantry.dev" && kind.Kind == "Tenant" && kind.Name == t.name
		if !isNamespace && !isTenant {
			c.say("argocd/kind", path, o, fmt.Sprintf("%s %q of %q", kind.Kind, kind.Name, kind.Group))
		}
	}
	if want := []argoKind{{Group: "argoproj.io", Kind: "*"}}; !reflect.DeepEqual(one.Spec.NamespaceResourceBlacklist, want) {
		c.say("argocd/kind", path, o, "who writes Argo CD's own kinds, commands it")
	}
}
