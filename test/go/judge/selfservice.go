package main

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

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
		ExternalIPs         []string `json:"externalIPs"`
		Types               []corev1.ServiceType
		ExternalNames       []string
		LoadBalancerClasses []string
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
		if class.Services.isDisabled() {
			return
		}
		for _, address := range service.Spec.ExternalIPs {
			if !inside(address, class.Services.ExternalIPs) {
				c.say("rights/self-service", o.file, o, "it takes the address "+address)
			}
		}
		if reason := class.beyond(service.Spec); reason != "" {
			c.say("rights/self-service", o.file, o, reason)
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

// beyond is what a Service has that the class does not allow, besides its addresses.
func (s selfService) beyond(spec corev1.ServiceSpec) string {
	kind := spec.Type
	if kind == "" {
		kind = corev1.ServiceTypeClusterIP
	}
	if s.Services.Types != nil && !slices.Contains(s.Services.Types, kind) {
		return "it has the type " + string(kind)
	}
	if kind == corev1.ServiceTypeExternalName && spec.ExternalName != "" && !s.mayName(spec.ExternalName) {
		return "it is another name of " + spec.ExternalName
	}
	class := ""
	if spec.LoadBalancerClass != nil {
		class = *spec.LoadBalancerClass
	}
	if kind == corev1.ServiceTypeLoadBalancer && s.Services.LoadBalancerClasses != nil &&
		!slices.ContainsFunc(s.Services.LoadBalancerClasses, func(one string) bool {
			prefix, isPrefix := strings.CutSuffix(one, "*")
			return one == class || isPrefix && class != "" && strings.HasPrefix(class, prefix)
		}) {
		return "it has a load balancer of class " + class
	}
	return ""
}

// mayName: the class lists the name itself, or a pattern for it. No pattern is for a name that leads
// into the cluster, or to the node of whoever resolves it.
func (s selfService) mayName(external string) bool {
	name, absolute := strings.CutSuffix(strings.ToLower(external), ".")
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	if slices.Contains(s.Services.ExternalNames, name) {
		return true
	}
	number := strings.Trim(last, "0123456789") == ""
	if digits, hex := strings.CutPrefix(last, "0x"); hex {
		number = strings.Trim(digits, "0123456789abcdef") == ""
	}
	if len(labels) == 1 || number ||
		slices.Contains([]string{"local", "localhost", "localdomain"}, last) ||
		slices.Contains(labels[1:], "svc") || slices.Contains(labels[1:], "pod") {
		return false
	}
	for _, one := range s.Services.ExternalNames {
		domain, isWide := strings.CutPrefix(one, "*.")
		if one == "*" && absolute && last != "internal" || isWide && strings.HasSuffix(name, "."+domain) {
			return true
		}
	}
	return false
}
