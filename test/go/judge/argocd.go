package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// What Argo CD reads of a tenant's project and Applications, the fields that may be said and no others.
type argoDestination struct {
	Server    string `json:"server"`
	Namespace string `json:"namespace"`
}

type argoKind struct {
	Group string `json:"group"`
	Kind  string `json:"kind"`
}

// argoHead is what read has looked at.
type argoHead struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   any    `json:"metadata"`
}

type argoProject struct {
	argoHead
	Spec struct {
		Description                string            `json:"description"`
		SourceRepos                []string          `json:"sourceRepos"`
		Destinations               []argoDestination `json:"destinations"`
		DestinationServiceAccounts []struct {
			argoDestination
			DefaultServiceAccount string `json:"defaultServiceAccount"`
		} `json:"destinationServiceAccounts"`
		NamespaceResourceWhitelist []argoKind `json:"namespaceResourceWhitelist"`
		SourceNamespaces           []string   `json:"sourceNamespaces"`
		Roles                      []argoRole `json:"roles"`
		SyncWindows                []any      `json:"syncWindows"`
	} `json:"spec"`
}

type argoSpec struct {
	Project     string          `json:"project"`
	Destination argoDestination `json:"destination"`
	Source      struct {
		RepoURL        string `json:"repoURL"`
		Path           string `json:"path"`
		Chart          string `json:"chart"`
		TargetRevision string `json:"targetRevision"`
		Helm           struct {
			ValueFiles []string `json:"valueFiles"`
		} `json:"helm"`
	} `json:"source"`
	SyncPolicy any `json:"syncPolicy"`
}

type argoApplication struct {
	argoHead
	Spec argoSpec `json:"spec"`
}

type argoSet struct {
	argoHead
	Spec struct {
		Generators []struct {
			Git struct {
				RepoURL     string `json:"repoURL"`
				Revision    string `json:"revision"`
				Directories []struct {
					Path string `json:"path"`
				} `json:"directories"`
			} `json:"git"`
		} `json:"generators"`
		GoTemplate        bool     `json:"goTemplate"`
		GoTemplateOptions []string `json:"goTemplateOptions"`
		SyncPolicy        struct {
			PreserveResourcesOnDeletion bool `json:"preserveResourcesOnDeletion"`
		} `json:"syncPolicy"`
		Template struct {
			Metadata struct {
				Name   string            `json:"name"`
				Labels map[string]string `json:"labels"`
			} `json:"metadata"`
			Spec argoSpec `json:"spec"`
		} `json:"template"`
	} `json:"spec"`
}

var argoFile = regexp.MustCompile(`^argocd/tenants/([^/]+)/(?:project|applications)\.yaml$`)

// Argo CD takes these for patterns, and these for the beginning of a template.
const argoPatterns = "*?[]{}!\\"

// deployments judges what Argo CD is told of a tenant: projects are walls, so each word in one is asked.
func (c *court) deployments(path string, t *tenant) {
	for _, o := range c.read(path, "") {
		if o.group() != "argoproj.io" || o.meta.Namespace != c.world.platform.ArgoCD.Namespace {
			c.say("argocd/object", path, o, "it is no object of Argo CD's, in its namespace")
			continue
		}
		switch o.Kind {
		case "AppProject":
			var one argoProject
			if o.meta.Name != "tenant-"+t.name {
				c.say("argocd/name", path, o, "it is not the project of the tenant")
			}
			if err := o.into(&one); err != nil {
				c.say("argocd/field", path, o, err.Error())
			}
			c.project(path, t, o, one)
		case "Application":
			var one argoApplication
			if err := o.into(&one); err != nil {
				c.say("argocd/field", path, o, err.Error())
			}
			c.deployment(path, t, o, one.Spec, o.meta.Name)
			if strings.Contains(string(o.json), "{{") {
				c.say("argocd/template", path, o, "it holds a template")
			}
		case "ApplicationSet":
			var one argoSet
			if err := o.into(&one); err != nil {
				c.say("argocd/field", path, o, err.Error())
			}
			c.applicationSet(path, t, o, one)
		default:
			c.say("argocd/object", path, o, "a tenant has a project, Applications and ApplicationSets")
		}
	}
}

func (c *court) project(path string, t *tenant, o *object, one argoProject) {
	spec := one.Spec
	if len(spec.SourceRepos) == 0 {
		c.say("argocd/repository", path, o, "a project without a repository is for nothing")
	}
	for _, url := range spec.SourceRepos {
		c.repository(path, t, o, url)
	}
	for _, place := range spec.Destinations {
		c.destination(path, t, o, place)
	}
	for _, each := range spec.DestinationServiceAccounts {
		c.destination(path, t, o, each.argoDestination)
		if each.DefaultServiceAccount != c.syncAccount(t) {
			c.say("argocd/account", path, o, each.DefaultServiceAccount+" is not the account of the tenant")
		}
	}
	if len(spec.DestinationServiceAccounts) != len(spec.Destinations) {
		c.say("argocd/account", path, o, "a destination has no account")
	}
	if len(spec.NamespaceResourceWhitelist) == 0 {
		c.say("argocd/kind", path, o, "without a list of kinds Argo CD lets in all")
	}
	for _, kind := range spec.NamespaceResourceWhitelist {
		if !t.class.deploys(kind) {
			c.say("argocd/kind", path, o, fmt.Sprintf("nobody allows %s of %q", kind.Kind, kind.Group))
		}
	}
	for _, role := range spec.Roles {
		c.argoRole(path, t, o, role)
	}
	for _, namespace := range spec.SourceNamespaces {
		if !t.owns(namespace) || t.class.Allow.SourceNamespaces != "Allow" {
			c.say("argocd/source-namespace", path, o, namespace)
		}
	}
}

func (c *court) deployment(path string, t *tenant, o *object, spec argoSpec, name string) {
	if spec.Project != "tenant-"+t.name {
		c.say("argocd/project", path, o, "it is in the project "+spec.Project)
	}
	c.destination(path, t, o, spec.Destination)
	c.repository(path, t, o, spec.Source.RepoURL)
	if namespace, _, _ := strings.Cut(name, "."); namespace != spec.Destination.Namespace {
		c.say("argocd/name", path, o, "its name does not begin with its namespace: another tenant may have it")
	}
	for _, one := range append([]string{spec.Source.Path}, spec.Source.Helm.ValueFiles...) {
		if slices.Contains(strings.Split(one, "/"), "..") || strings.HasPrefix(one, "/") {
			c.say("argocd/path", path, o, one+" leads out of the repository")
		}
	}
	if strings.HasPrefix(spec.Source.TargetRevision, "-") {
		c.say("argocd/revision", path, o, spec.Source.TargetRevision+" is an option")
	}
}

func (c *court) applicationSet(path string, t *tenant, o *object, one argoSet) {
	spec := one.Spec
	if t.class.Allow.ApplicationSets != "Allow" {
		c.say("argocd/set", path, o, "the class does not allow ApplicationSets")
	}
	if !spec.SyncPolicy.PreserveResourcesOnDeletion || !spec.GoTemplate || !slices.Equal(spec.GoTemplateOptions, []string{"missingkey=error"}) {
		c.say("argocd/set", path, o, "it deletes what it deployed, or fills in what is not there")
	}
	for _, each := range spec.Generators {
		c.repository(path, t, o, each.Git.RepoURL)
	}
	c.deployment(path, t, o, spec.Template.Spec, spec.Template.Metadata.Name)
	// The folder of each Application, in its name and as its path.
	if strings.Count(string(o.json), "{{") != 2 || spec.Template.Spec.Source.Path != "{{.path.path}}" ||
		!strings.HasSuffix(spec.Template.Metadata.Name, ".{{.path.basenameNormalized}}") {
		c.say("argocd/template", path, o, "it holds another template")
	}
}

// destination: a namespace of the tenant that is alive, at the address of a cluster.
func (c *court) destination(path string, t *tenant, o *object, place argoDestination) {
	known := slices.ContainsFunc(c.world.platform.Clusters, func(one cluster) bool { return one.Server == place.Server })
	if !known {
		c.say("argocd/destination", path, o, "no cluster is at "+place.Server)
	}
	if life := t.namespaces()[place.Namespace].lifecycle; !t.owns(place.Namespace) || life != "Active" {
		c.say("argocd/destination", path, o, place.Namespace+" is no Active namespace of the tenant")
	}
}

// repository: an address without a pattern that the class gives or allows.
func (c *court) repository(path string, t *tenant, o *object, url string) {
	if strings.ContainsAny(url, argoPatterns) || strings.Contains(url, "..") {
		c.say("argocd/repository", path, o, url+" is a pattern")
	}
	allowed := t.class.Allow.SourceRepos
	for _, layer := range t.class.layers() {
		allowed = append(slices.Clone(allowed), layer.ArgoCD.SourceRepos...)
	}
	if !slices.ContainsFunc(allowed, func(one string) bool {
		return matchesGlob(strings.ReplaceAll(one, "{tenant}", t.name), url)
	}) {
		c.say("argocd/repository", path, o, "nobody allows "+url)
	}
}

// deploysAnyway are the kinds that give nobody rights, open no network and bound nobody.
var deploysAnyway = map[string][]string{
	"":                  {"ConfigMap", "PersistentVolumeClaim", "Pod", "ReplicationController", "Secret", "Service", "ServiceAccount"},
	"apps":              {"DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"},
	"autoscaling":       {"HorizontalPodAutoscaler"},
	"batch":             {"CronJob", "Job"},
	"networking.k8s.io": {"Ingress"},
	"policy":            {"PodDisruptionBudget"},
	"resource.k8s.io":   {"ResourceClaim", "ResourceClaimTemplate"},
}

func (class *classSpec) deploys(kind argoKind) bool {
	allowed := class.Allow.NamespaceResourceWhitelist
	for _, layer := range class.layers() {
		allowed = append(slices.Clone(allowed), layer.ArgoCD.NamespaceResourceWhitelist...)
	}
	return slices.Contains(deploysAnyway[kind.Group], kind.Kind) || slices.Contains(allowed, kind)
}

// syncAccount is whom Argo CD impersonates for a tenant.
func (c *court) syncAccount(t *tenant) string {
	return c.world.platform.Operator.Namespace + ":sync." + t.name
}

// isSync says whether a subject is that account, of a tenant that has a repository.
func (c *court) isSync(t *tenant, subject rbacv1.Subject) bool {
	_, has := c.after["argocd/tenants/"+t.name+"/project.yaml"]
	return has && subject.Kind == rbacv1.ServiceAccountKind && subject.Namespace+":"+subject.Name == c.syncAccount(t)
}
