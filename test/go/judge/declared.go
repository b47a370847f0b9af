package main

import (
	"maps"
	"slices"
	"strings"

	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const ours = "tenantry.dev/v1alpha1"

type peers []networkingv1.NetworkPolicyPeer

// trusted is where parts of the platform run. What a cluster says replaces what is said for all.
type trusted struct {
	IngressControllers peers `json:"ingressControllers"`
	Monitoring         peers `json:"monitoring"`
	DNS                peers `json:"dns"`
}

type kind struct{ Group, Kind, Scope string }

type cluster struct {
	Name   string `json:"name"`
	Server string `json:"server"`
	trusted
}

type platformSpec struct {
	Clusters            []cluster         `json:"clusters"`
	DefaultClass        string            `json:"defaultClass"`
	Environments        []string          `json:"environments"`
	ProtectedNamespaces []string          `json:"protectedNamespaces"`
	TrustedLabels       []string          `json:"trustedLabels"`
	MetadataKeys        map[string]string `json:"metadataKeys"`
	ArgoCD              struct {
		Namespace string `json:"namespace"`
		Source    struct {
			RepoURL string `json:"repoURL"`
		} `json:"source"`
	} `json:"argocd"`
	Operator struct {
		Namespace string `json:"namespace"`
	} `json:"operator"`
	Kinds      []kind     `json:"kinds"`
	Delegation delegation `json:"delegation"`
	trusted
}

type quantities map[string]resource.Quantity

type holders struct {
	Users           []string `json:"users"`
	Groups          []string `json:"groups"`
	ServiceAccounts []struct{ Namespace, Name string }
}

type namedHolders struct {
	Name string `json:"name"`
	holders
}

// layer is what a class says for all of its tenants, or for those of an environment.
type layer struct {
	Name        string            `json:"name"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	PodSecurity struct {
		Version string `json:"version"`
	} `json:"podSecurity"`
	ArgoCD struct {
		SourceRepos                []string   `json:"sourceRepos"`
		NamespaceResourceWhitelist []argoKind `json:"namespaceResourceWhitelist"`
	} `json:"argocd"`
	Access          access                              `json:"access"`
	Resources       []struct{ Manifest map[string]any } `json:"resources"`
	ServiceAccounts []struct {
		Name                string
		Labels, Annotations map[string]string
	} `json:"serviceAccounts"`
}

// access is who holds roles in a namespace.
type access struct {
	Admins, Editors, Viewers holders
	ClusterRoles, Roles      []namedHolders
}

func (a access) all() []holders {
	found := []holders{a.Admins, a.Editors, a.Viewers}
	for _, one := range slices.Concat(a.ClusterRoles, a.Roles) {
		found = append(found, one.holders)
	}
	return found
}

type reachCeiling struct {
	OtherNamespaces string   `json:"otherNamespaces"`
	Anywhere        string   `json:"anywhere"`
	CIDRs           []string `json:"cidrs"`
}

type classSpec struct {
	whole          map[string]any
	AllowedTenants *struct {
		Names    []string              `json:"names"`
		Selector *metav1.LabelSelector `json:"selector"`
	} `json:"allowedTenants"`
	Roles  struct{ Admins, Editors, Viewers string } `json:"roles"`
	ArgoCD struct {
		Roles argoActions `json:"roles"`
	} `json:"argocd"`
	Presets struct {
		Roles []struct {
			Name  string
			Rules []rbacv1.PolicyRule
		}
	} `json:"presets"`
	Defaults     layer   `json:"defaults"`
	Environments []layer `json:"environments"`
	Ceilings     struct {
		Namespaces  int        `json:"namespaces"`
		Quota       quantities `json:"quota"`
		TenantQuota quantities `json:"tenantQuota"`
		Limits      quantities `json:"limits"`
		PodSecurity string     `json:"podSecurity"`

		TerminationSeconds int64 `json:"terminationSeconds"`

		Network struct {
			Isolation   string       `json:"isolation"`
			Egress      string       `json:"egress"`
			IngressFrom reachCeiling `json:"ingressFrom"`
			EgressTo    reachCeiling `json:"egressTo"`
		} `json:"network"`
		Roles []bound `json:"roles"`
	} `json:"ceilings"`
	SelfService selfService `json:"selfService"`
	Hardening   struct {
		ImagePullPolicy, Storage, PodDefaults string
	} `json:"hardening"`
	Allow struct {
		Labels          []opening                          `json:"labels"`
		Annotations     []opening                          `json:"annotations"`
		ClusterRoles    []string                           `json:"clusterRoles"`
		Clusters        []string                           `json:"clusters"`
		ServiceAccounts []struct{ Namespace, Name string } `json:"serviceAccounts"`
		Resources       []struct{ Group, Kind string }     `json:"resources"`
		SourceRepos     []string                           `json:"sourceRepos"`
		Tolerations     []struct {
			Key    string
			Values []string
		} `json:"tolerations"`

		NamespaceResourceWhitelist []argoKind `json:"namespaceResourceWhitelist"`
		SourceNamespaces           string     `json:"sourceNamespaces"`
		ApplicationSets            string     `json:"applicationSets"`
	} `json:"allow"`
}

// layers are all that a class says by itself: its word is the platform's.
func (c *classSpec) layers() []layer { return append([]layer{c.Defaults}, c.Environments...) }

type tenantSpec struct {
	ClassName       string `json:"className"`
	Lifecycle       string `json:"lifecycle"`
	Environment     string `json:"environment"`
	NamespacePrefix string `json:"namespacePrefix"`
	Access          access `json:"access"`
	Namespaces      []struct {
		Name, Environment, Lifecycle string
		Access                       access
	} `json:"namespaces"`
}

// tenant is a declaration of one, as its author wrote it.
type tenant struct {
	file   string
	name   string
	labels map[string]string
	spec   tenantSpec
	whole  map[string]any
	class  *classSpec
}

// namespaces maps the names that a tenant declares to the environment and lifecycle of each.
func (t *tenant) namespaces() map[string]struct{ environment, lifecycle string } {
	found := map[string]struct{ environment, lifecycle string }{}
	or := func(one, other string) string {
		if one != "" {
			return one
		}
		return other
	}
	for _, entry := range t.spec.Namespaces {
		life := or(entry.Lifecycle, "Active")
		// A namespace is never more alive than its tenant.
		rank := map[string]int{"": 0, "Active": 0, "Suspended": 1, "Retired": 2}
		if rank[t.spec.Lifecycle] > rank[life] {
			life = t.spec.Lifecycle
		}
		found[t.spec.NamespacePrefix+entry.Name] = struct{ environment, lifecycle string }{
			or(entry.Environment, t.spec.Environment), life,
		}
	}
	if len(found) == 0 {
		// The prefix stands before entries only.
		found[t.name] = struct{ environment, lifecycle string }{t.spec.Environment, or(t.spec.Lifecycle, "Active")}
	}
	return found
}

func (t *tenant) owns(namespace string) bool {
	_, has := t.namespaces()[namespace]
	return has
}

// matchesGlob takes a name or, with a `*` at the end, the beginning of names.
func matchesGlob(pattern, name string) bool {
	if start, open := strings.CutSuffix(pattern, "*"); open {
		return strings.HasPrefix(name, start)
	}
	return pattern == name
}

func merged(all ...map[string]string) map[string]string {
	one := map[string]string{}
	for _, each := range all {
		maps.Copy(one, each)
	}
	return one
}
