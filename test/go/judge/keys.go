package main

import (
	"slices"
	"strings"
)

// opening is a key, or what keys begin with and a `*`, and the values that it may have; none is any.
type opening struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
}

func opens(list []opening, key, value string) bool {
	return slices.ContainsFunc(list, func(one opening) bool {
		return matchesGlob(one.Key, key) && (one.Values == nil || slices.Contains(one.Values, value))
	})
}

// What tenants may put on their namespaces where the class does not say (docs/reference/metadata.md).
var openByDefault = []opening{
	{Key: "app.kubernetes.io/name"}, {Key: "app.kubernetes.io/version"},
	{Key: "app.kubernetes.io/component"}, {Key: "app.kubernetes.io/part-of"},
	{Key: "team"}, {Key: "owner"}, {Key: "project"}, {Key: "component"}, {Key: "purpose"}, {Key: "description"},
}

// Keys that nobody declares on any object, and no class opens: orders to Argo CD, and whose one is.
var nobodys = []string{
	".argocd.argoproj.io", "helm.sh/hook*", "helm.sh/resource-policy*", ".tenantry.dev",
	"app.kubernetes.io/instance", "app.kubernetes.io/managed-by",
}

// Domains of programs that read Git and apply or serve it, with all below them.
var closedDomains = []string{
	".kubernetes.io", ".k8s.io", ".x-k8s.io", ".argoproj.io", ".fluxcd.io", ".helm.sh", ".kpt.dev", ".tenantry.dev",
}

// Of these domains, what is open on objects all the same.
var openOnObjects = []string{
	"app.kubernetes.io/*", "kubernetes.io/description", "kubernetes.io/ingress.class",
	"kubernetes.io/tls-acme", ".ingress.kubernetes.io", "service.kubernetes.io/*",
	"service.beta.kubernetes.io/*", "service.alpha.kubernetes.io/*",
	"cluster-autoscaler.kubernetes.io/*", "external-dns.alpha.kubernetes.io/*",
	"volume.beta.kubernetes.io/storage-class", "kubectl.kubernetes.io/default-container",
	"helm.sh/chart",
}

// among asks a list in which a key that ends with `*` stands for what begins so, and a domain that
// begins with a dot for it and all below it.
func among(list []string, key string) bool {
	domain, _, has := strings.Cut(key, "/")
	return slices.ContainsFunc(list, func(one string) bool {
		if below, is := strings.CutPrefix(one, "."); is {
			return has && (domain == below || strings.HasSuffix(domain, one))
		}
		return matchesGlob(one, key)
	})
}

const (
	syncWave = "argocd.argoproj.io/sync-wave"
	facts    = "policy.tenantry.dev/"
)

var podSecurityKeys = []string{
	"pod-security.kubernetes.io/enforce", "pod-security.kubernetes.io/enforce-version",
	"pod-security.kubernetes.io/audit", "pod-security.kubernetes.io/audit-version",
	"pod-security.kubernetes.io/warn", "pod-security.kubernetes.io/warn-version",
}
