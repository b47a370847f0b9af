package main

import (
	"fmt"
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// enforced is an admission policy that a class may disable.
type enforced struct{ Policy string }

func (e enforced) isDisabled() bool { return e.Policy == "Disabled" }

type opened struct {
	Namespaces []string
	CIDRs      []string `json:"cidrs"`
	Anywhere   string
}

// selfService is what a tenant's people may make themselves (docs/guard.md#what-tenants-users-may-create).
type selfService struct {
	Names, TokenSecrets, Pods, DisruptionBudgets, Templates enforced

	RoleBindings struct {
		enforced
		Users, Groups []string
	}
	NetworkPolicies struct {
		enforced
		IngressFrom, EgressTo opened
	}
	Services struct {
		enforced
		ExternalIPs []string `json:"externalIPs"`
	}
	Tokens struct {
		enforced
		MaxSeconds int64
	}
}

// policies are the admission policies by the name that a label disables them with.
func (s selfService) policies() map[string]enforced {
	return map[string]enforced{
		"names": s.Names, "role-bindings": s.RoleBindings.enforced,
		"network-policies": s.NetworkPolicies.enforced, "services": s.Services.enforced,
		"token-secrets": s.TokenSecrets, "tokens": s.Tokens.enforced, "pods": s.Pods,
		"disruption-budgets": s.DisruptionBudgets, "templates": s.Templates,
	}
}

// selfService: what people may not make themselves is not declared either. Argo CD, which no policy
// holds, would make it for them.
func (c *court) selfService(t *tenant, o *object) {
	if o.group() != "" || t.class.declares(o) != nil {
		return
	}
	class := t.class.SelfService
	switch o.Kind {
	case "Service":
		var service corev1.Service
		_ = o.into(&service)
		for _, address := range service.Spec.ExternalIPs {
			if !class.Services.isDisabled() && !inside(address, class.Services.ExternalIPs) {
				c.say("rights/self-service", o.file, o, "it takes the address "+address)
			}
		}
	case "Secret":
		var secret corev1.Secret
		_ = o.into(&secret)
		if secret.Type == corev1.SecretTypeServiceAccountToken && !class.TokenSecrets.isDisabled() {
			c.say("rights/self-service", o.file, o, "it is for a token that never expires")
		}
	case "Pod":
		var pod corev1.Pod
		_ = o.into(&pod)
		if pod.Spec.NodeName != "" && !class.Pods.isDisabled() {
			c.say("rights/self-service", o.file, o, fmt.Sprintf("it chooses the node %q", pod.Spec.NodeName))
		}
	}
}

func inside(address string, cidrs []string) bool {
	one, err := netip.ParseAddr(address)
	return err == nil && slices.ContainsFunc(cidrs, func(cidr string) bool {
		prefix, err := netip.ParsePrefix(cidr)
		return err == nil && prefix.Contains(one)
	})
}
