package main

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

var reading = []string{"get", "list", "watch"}
var writing = []string{"create", "delete", "deletecollection", "patch", "update"}

// admin is what Kubernetes' ClusterRole `admin` holds after aggregation, 1.36. A test asks a real API
// server whether it does.
// https://kubernetes.io/docs/reference/access-authn-authz/rbac/#user-facing-roles
var admin = slices.Concat(
	rulesOf(slices.Concat(reading, writing), map[string]string{
		"":                          "configmaps persistentvolumeclaims pods pods/attach pods/exec pods/portforward pods/proxy replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy events",
		"events.k8s.io":             "events",
		"apps":                      "daemonsets deployments deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale",
		"autoscaling":               "horizontalpodautoscalers",
		"batch":                     "cronjobs jobs",
		"extensions":                "daemonsets deployments deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale",
		"policy":                    "poddisruptionbudgets",
		"networking.k8s.io":         "ingresses networkpolicies",
		"coordination.k8s.io":       "leases",
		"resource.k8s.io":           "resourceclaims resourceclaimtemplates",
		"rbac.authorization.k8s.io": "roles rolebindings",
	}),
	rulesOf(reading, map[string]string{
		"":                  "bindings endpoints limitranges namespaces namespaces/status persistentvolumeclaims/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status services/status",
		"discovery.k8s.io":  "endpointslices",
		"apps":              "controllerrevisions daemonsets/status deployments/status replicasets/status statefulsets/status",
		"autoscaling":       "horizontalpodautoscalers/status",
		"batch":             "cronjobs/status jobs/status",
		"extensions":        "daemonsets/status deployments/status ingresses/status replicasets/status",
		"policy":            "poddisruptionbudgets/status",
		"networking.k8s.io": "ingresses/status",
		"resource.k8s.io":   "resourceclaims/status",
	}),
	rulesOf(writing, map[string]string{"apps": "deployments/rollback", "extensions": "deployments/rollback"}),
	rulesOf([]string{"create"}, map[string]string{
		"": "pods/eviction serviceaccounts/token", "authorization.k8s.io": "localsubjectaccessreviews",
	}),
	rulesOf([]string{"impersonate"}, map[string]string{"": "serviceaccounts"}),
)

func rulesOf(verbs []string, resources map[string]string) []rbacv1.PolicyRule {
	var rules []rbacv1.PolicyRule
	for group, names := range resources {
		rules = append(rules, rbacv1.PolicyRule{APIGroups: []string{group}, Resources: strings.Fields(names), Verbs: verbs})
	}
	return rules
}

// served are the namespaced resources of Kubernetes 1.36, by group: a rule for others gives no right
// in a namespace. A Namespace counts as being in itself.
// https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/
var served = map[string][]string{
	"": strings.Fields(`namespaces namespaces/status namespaces/finalize bindings configmaps endpoints
		events limitranges persistentvolumeclaims persistentvolumeclaims/status pods pods/attach
		pods/binding pods/ephemeralcontainers pods/eviction pods/exec pods/log pods/portforward pods/proxy
		pods/resize pods/status podtemplates replicationcontrollers replicationcontrollers/scale
		replicationcontrollers/status resourcequotas resourcequotas/status secrets serviceaccounts
		serviceaccounts/token services services/proxy services/status`),
	"apps": strings.Fields(`controllerrevisions daemonsets daemonsets/status deployments
		deployments/scale deployments/status replicasets replicasets/scale replicasets/status
		statefulsets statefulsets/scale statefulsets/status`),
	"events.k8s.io":        {"events"},
	"authorization.k8s.io": {"localsubjectaccessreviews"},
	"autoscaling":          {"horizontalpodautoscalers", "horizontalpodautoscalers/status"},
	"batch":                {"cronjobs", "cronjobs/status", "jobs", "jobs/status"},
	"certificates.k8s.io":  {"podcertificaterequests", "podcertificaterequests/status"},
	"networking.k8s.io":    {"ingresses", "ingresses/status", "networkpolicies"},
	// Served until 1.22, and by aggregated API servers of that group.
	"extensions":                {"ingresses", "networkpolicies", "deployments", "daemonsets", "replicasets"},
	"policy":                    {"poddisruptionbudgets", "poddisruptionbudgets/status"},
	"rbac.authorization.k8s.io": {"rolebindings", "roles"},
	"storage.k8s.io":            {"csistoragecapacities"},
	"scheduling.k8s.io":         {"podgroups", "podgroups/status", "workloads"},
	"coordination.k8s.io":       {"leasecandidates", "leases"},
	"discovery.k8s.io":          {"endpointslices"},
	"resource.k8s.io":           {"resourceclaims", "resourceclaims/status", "resourceclaimtemplates"},
}

// gives says whether a right is one in a namespace at all.
func gives(group, resource, verb string) bool {
	if !isKubernetes(group) {
		return group != "tenantry.dev" // ours are cluster-scoped
	}
	if resource == "pods/log" && verb != "get" {
		return false // it serves nothing else
	}
	// Made-up verbs are asked for by nobody, but these.
	usual := slices.Contains(slices.Concat(reading, writing), verb) || verb == "impersonate" || verb == "bind" || verb == "escalate"
	return usual && slices.Contains(served[group], resource)
}

// guards: what holds a tenant in its bounds, which no role of its own may write, whatever the ceiling.
func guards(group, resource string) bool {
	name, _, _ := strings.Cut(resource, "/")
	if group == "" {
		return name == "namespaces" || name == "resourcequotas" || name == "limitranges"
	}
	return networkGroups[group] && strings.Contains(name, "networkpolic")
}
