package main

import (
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	applister "github.com/argoproj/argo-cd/v3/pkg/client/listers/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/server/rbacpolicy"
	"github.com/argoproj/argo-cd/v3/util/assets"
	"github.com/argoproj/argo-cd/v3/util/rbac"
	"github.com/golang-jwt/jwt/v5"
	"k8s.io/client-go/tools/cache"
)

// allowed is what an API server of Argo CD whose argocd-rbac-cm is empty says of requests, where there is
// this project alone.
func allowed(project *v1alpha1.AppProject, requests []request) []bool {
	said := []bool{}
	if len(requests) == 0 {
		return said
	}
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	if err := indexer.Add(project); err != nil {
		panic(err)
	}
	enforcer := rbac.NewEnforcer(nil, project.Namespace, "argocd-rbac-cm", nil)
	if err := enforcer.SetBuiltinPolicy(assets.BuiltinPolicyCSV); err != nil {
		panic(err)
	}
	projects := applister.NewAppProjectLister(indexer).AppProjects(project.Namespace)
	enforcer.SetClaimsEnforcerFunc(rbacpolicy.NewRBACPolicyEnforcer(enforcer, projects).EnforceClaims)
	for _, one := range requests {
		groups := make([]any, 0, len(one.Groups))
		for _, group := range one.Groups {
			groups = append(groups, group)
		}
		claims := jwt.MapClaims{"sub": one.User, "groups": groups}
		said = append(said, enforcer.Enforce(claims, one.Resource, one.Action, one.Object))
	}
	return said
}
